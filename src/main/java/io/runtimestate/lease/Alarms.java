package io.runtimestate.lease;

import java.util.Arrays;

/**
 * All instants at which something is due, in one binary heap under one timer: 20 000 renewals need
 * no 20 000 timers. Instants are those of {@link System#nanoTime}. Touched by the loop only.
 */
final class Alarms {
  private static final int MIN_CAPACITY = 16;
  private static final int RUNG_AT_ONCE = 500;
  private static final long NO_TIMER = -1;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long LONGEST_TIMER_MILLIS = 3_600_000;

  private final LeaseLoop loop;
  private Alarm[] heap = new Alarm[MIN_CAPACITY];
  private int size;
  private long timer = NO_TIMER;
  private long timerDue;
  private boolean closed;

  Alarms(LeaseLoop loop) {
    this.loop = loop;
  }

  /** Sets or moves an alarm. */
  void set(Alarm alarm, long due) {
    if (closed) {
      return;
    }
    alarm.due = due;
    if (alarm.isSet()) {
      settle(alarm.place, alarm);
    } else {
      grow();
      up(size++, alarm);
    }
    arm();
  }

  /** Takes an alarm out, if it is set. */
  void cancel(Alarm alarm) {
    if (alarm.isSet()) {
      remove(alarm);
      if (size == 0) {
        disarm();
      }
    }
  }

  /** Nothing rings any more. */
  void close() {
    closed = true;
    Arrays.stream(heap, 0, size).forEach(Alarm::unset);
    heap = new Alarm[MIN_CAPACITY];
    size = 0;
    disarm();
  }

  private void ring() {
    timer = NO_TIMER;
    long now = System.nanoTime();
    int rung = 0;
    while (size > 0 && heap[0].due - now <= 0 && rung++ < RUNG_AT_ONCE) {
      Alarm alarm = heap[0];
      remove(alarm);
      alarm.ring();
    }
    arm();
  }

  private void arm() {
    if (size > 0 && (timer == NO_TIMER || heap[0].due - timerDue < 0)) {
      disarm();
      timerDue = heap[0].due;
      timer = loop.startTimer(millisUntil(timerDue), this::ring);
    }
  }

  private static long millisUntil(long due) {
    long millis = Math.floorDiv(due - System.nanoTime() - 1, NANOS_PER_MILLI) + 1;
    return Math.max(1, Math.min(millis, LONGEST_TIMER_MILLIS));
  }

  private void disarm() {
    if (timer != NO_TIMER) {
      loop.cancelTimer(timer);
      timer = NO_TIMER;
    }
  }

  private void remove(Alarm alarm) {
    int hole = alarm.place;
    alarm.unset();
    Alarm last = heap[--size];
    heap[size] = null;
    if (last != alarm) {
      settle(hole, last);
    }
    shrink();
  }

  private void settle(int place, Alarm alarm) {
    if (place > 0 && alarm.due - heap[(place - 1) / 2].due < 0) {
      up(place, alarm);
    } else {
      down(place, alarm);
    }
  }

  private void up(int start, Alarm alarm) {
    int place = start;
    while (place > 0 && alarm.due - heap[(place - 1) / 2].due < 0) {
      put(place, heap[(place - 1) / 2]);
      place = (place - 1) / 2;
    }
    put(place, alarm);
  }

  private void down(int start, Alarm alarm) {
    int place = start;
    for (int child = earlierChild(place); child > 0; child = earlierChild(place)) {
      if (heap[child].due - alarm.due >= 0) {
        break;
      }
      put(place, heap[child]);
      place = child;
    }
    put(place, alarm);
  }

  /** 0 if there is no child. */
  private int earlierChild(int place) {
    int left = 2 * place + 1;
    if (left >= size) {
      return 0;
    }
    return left + 1 < size && heap[left + 1].due - heap[left].due < 0 ? left + 1 : left;
  }

  private void put(int place, Alarm alarm) {
    heap[place] = alarm;
    alarm.place = place;
  }

  private void grow() {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, size * 2);
    }
  }

  private void shrink() {
    if (heap.length > MIN_CAPACITY && size < heap.length / 8) {
      heap = Arrays.copyOf(heap, heap.length / 4);
    }
  }
}
