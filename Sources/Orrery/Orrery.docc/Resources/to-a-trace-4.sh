orrery trace export csv film/ball.mcap --columns x
