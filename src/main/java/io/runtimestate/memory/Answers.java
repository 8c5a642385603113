package io.runtimestate.memory;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;

/**
 * Answers on their way to the event loops of their callers. Those for one loop travel together, as
 * one task: waking a loop costs more than finding a value. Nothing waits longer than the owner is
 * busy with calls. On the owner's loop only.
 */
final class Answers {
  private static final int MOST_TOGETHER = 64;

  /** An answer that is known. */
  interface Answer {
    /** Tells its caller, on the caller's event loop. */
    void tell();

    /** Tells its caller that there is no answer any more: its event loop has ended. */
    void end();
  }

  private final Map<EventLoop, Batch> byLoop = new IdentityHashMap<>(); // as many as Vert.x has
  private final List<Batch> filled = new ArrayList<>();

  /** Takes an answer for a caller on that loop; it goes with the next {@link #send}. */
  void add(EventLoop loop, Answer answer) {
    Batch batch = byLoop.computeIfAbsent(loop, Batch::new);
    if (batch.answers.isEmpty()) {
      filled.add(batch);
    }
    batch.answers.add(answer);
    if (batch.answers.size() == MOST_TOGETHER) {
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

  private static final class Batch {
    private final EventLoop loop;
    private List<Answer> answers = new ArrayList<>(MOST_TOGETHER);

    Batch(EventLoop loop) {
      this.loop = loop;
    }

    void send() {
      List<Answer> all = answers;
      answers = new ArrayList<>(Math.min(2 * all.size(), MOST_TOGETHER));
      try {
        loop.execute(() -> all.forEach(Answer::tell));
      } catch (RejectedExecutionException ended) {
        all.forEach(Answer::end);
      }
    }
  }
}
