swift run ball > ball.toml
orrery scene check ball.toml
orrery run ./ball.toml --lockstep --duration 0.6 --out film
