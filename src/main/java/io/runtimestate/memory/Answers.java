package io.runtimestate.memory;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * Answers on their way to the event loops of their callers. Those for one loop travel together, as
 * one task: waking a loop costs more than finding a value. Nothing waits longer than the owner is
 * busy with calls. On the owner's loop only.
 */
final class Answers {
  private static final int MOST_TOGETHER = 64;

  /** An answer that is known, and the one that travels behind it. */
  abstract static class Answer {
    private Answer next;

    /** Tells its caller, on the caller's event loop. */
    abstract void tell();

    /** Tells its caller that there will be no answer: its event loop has ended. */
    abstract void end();

    private void each(Consumer<Answer> act) {
      for (Answer answer = this; answer != null; answer = answer.next) {
        act.accept(answer);
      }
    }
  }

  private final Map<EventLoop, Batch> byLoop = new IdentityHashMap<>(); // as many as Vert.x has
  private final List<Batch> filled = new ArrayList<>();
  private final IntConsumer leaving;

  /**
   * None is on its way.
   *
   * @param leaving hears how many answers leave, just before they do
   */
  Answers(IntConsumer leaving) {
    this.leaving = leaving;
  }

  /** Takes an answer for a caller on that loop; it goes with the next {@link #send}. */
  void add(EventLoop loop, Answer answer) {
    Batch batch = byLoop.computeIfAbsent(loop, this::batch);
    if (batch.size == 0) {
      filled.add(batch);
    }
    batch.add(answer);
    if (batch.size == MOST_TOGETHER) {
      filled.remove(batch);
      batch.send();
    }
  }

  /** Lets go of everything taken so far. */
  void send() {
    if (!filled.isEmpty()) {
      filled.forEach(Batch::send);
      filled.clear();
    }
  }

  private Batch batch(EventLoop loop) {
    return new Batch(loop, leaving);
  }

  private static final class Batch {
    private final EventLoop loop;
    private final IntConsumer leaving;
    private Answer first;
    private Answer last;
    private int size;

    Batch(EventLoop loop, IntConsumer leaving) {
      this.loop = loop;
      this.leaving = leaving;
    }

    void add(Answer answer) {
      if (size++ == 0) {
        first = answer;
      } else {
        last.next = answer;
      }
      last = answer;
    }

    void send() {
      Answer all = first;
      leaving.accept(size);
      first = null;
      last = null;
      size = 0;
      try {
        loop.execute(() -> all.each(Answer::tell));
      } catch (RejectedExecutionException ended) {
        all.each(Answer::end);
      }
    }
  }
}
