/* SPDX-License-Identifier: Apache-2.0

   The ring with spare places: a writer, a thread that sends frames without a copy, and a reader.

   Every interleaving of their steps is checked. The two stores that must be seen by the other side before
   it is looked at, the writer's mark and the sender's pin, go through store buffers, which a full fence
   empties and which otherwise empty themselves at any time. A process that is killed is one that takes no
   further step: every order has been searched in which it does not. Readers store nothing, so one stands
   for any number of them; READERS says how many take part.

   Broken on purpose with -DNO_WRITER_FENCE, -DNO_SENDER_FENCE, -DNO_SECOND_LOOK, -DNO_READER_LOOK or
   -DNO_PIN_LIMIT: the search must then find an error. */

#define SLOTS 4
#define SPARES 1
#define PLACES 5
#ifndef FRAMES
#define FRAMES 6
#endif
#ifndef READERS
#define READERS 1
#endif

byte begin_[SLOTS];   /* sequence_begin of each slot, as others see it */
byte end_[SLOTS];     /* sequence_end */
byte place[SLOTS];
byte first[PLACES];   /* a frame's values, in two halves */
byte second[PLACES];
byte pins[PLACES];    /* as the writer sees them */
byte pinned;          /* places that count as pinned */
byte spare[SPARES];

/* Store buffers of one entry: 0 is empty. */
byte markOf, pinOf;   /* sequence marked; place pinned, plus 1 */

inline flushMark() { d_step { if :: markOf > 0 -> begin_[markOf % SLOTS] = markOf; markOf = 0 :: else fi } }
inline flushPin() { d_step { if :: pinOf > 0 -> pins[pinOf - 1]++; pinOf = 0 :: else fi } }

proctype Buffers() {
endBuffers:
  do
  :: atomic { markOf > 0 -> flushMark() }
  :: atomic { pinOf > 0 -> flushPin() }
  od
}

proctype Writer() {
  byte n = 1, slot, mine, i;
  bool isPinned;
  do
  :: n <= FRAMES ->
    slot = n % SLOTS;
    atomic { markOf == 0 -> markOf = n }
#ifndef NO_WRITER_FENCE
    flushMark();
#endif
    mine = place[slot];
    isPinned = pins[mine] > 0;
    if
    :: isPinned ->
      d_step {
        i = 0;
        do
        :: i < SPARES && pins[spare[i]] > 0 -> i++
        :: else -> break
        od;
        assert(i < SPARES);
        place[slot] = spare[i];
        spare[i] = mine;
        mine = place[slot];
      }
    :: else
    fi;
    /* Values are stored after the mark: a release fence at least. */
    atomic { flushMark(); first[mine] = n }
    second[mine] = n;
    end_[slot] = n;
    n++
  :: else -> break
  od
}

/* One frame on its way each: the sending thread has two at a time. */
proctype Sender() {
  byte n, slot, mine;
  select(n : 1 .. FRAMES);
  slot = n % SLOTS;
  if
  :: end_[slot] == n ->
    mine = place[slot];
    if
#ifdef NO_PIN_LIMIT
    :: true ->
#else
    :: atomic { pinned < SPARES -> pinned++ }
#endif
      atomic { pinOf == 0 -> pinOf = mine + 1 }
#ifndef NO_SENDER_FENCE
      flushPin();
#endif
      if
#ifdef NO_SECOND_LOOK
      :: true ->
#else
      :: begin_[slot] == n ->
#endif
        /* It is being sent: its bytes are looked at whenever the kernel likes. */
        assert(first[mine] == n);
        assert(second[mine] == n);
        assert(first[mine] == n)
      :: else
      fi;
      atomic { flushPin(); pins[mine]-- }
      pinned--
    :: pinned >= SPARES
    fi
  :: end_[slot] != n
  fi
}

proctype Reader() {
  byte n, slot, mine, one, two;
  select(n : 1 .. FRAMES);
  slot = n % SLOTS;
  if
  :: end_[slot] == n ->
    mine = place[slot];
    one = first[mine];
    two = second[mine];
    if
#ifdef NO_READER_LOOK
    :: true -> assert(one == n && two == n)
#else
    :: begin_[slot] == n -> assert(one == n && two == n)
#endif
    :: else
    fi
  :: else
  fi
}

init {
  byte i;
  atomic {
    place[0] = 0; place[1] = 1; place[2] = 2; place[3] = 3; spare[0] = 4;
    run Buffers();
    run Writer();
    run Sender();
    run Sender();
    for (i : 1 .. READERS) { run Reader() }
  }
}
