package io.runtimestate.support;

import io.netty.channel.ChannelOption;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetSocket;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One client connection of a {@link FaultProxy} and its twin to the server. Loop-confined. */
final class FaultLink {

  private record Piece(Buffer bytes, long dueNanos) {}

  private final ContextInternal context;
  private final NetSocket client;
  private final FaultPlan plan;
  private final Consumer<FaultLink> whenClosed;
  private final ArrayDeque<Piece> pieces = new ArrayDeque<>();
  private NetSocket server;
  private Buffer unread = Buffer.buffer();
  private boolean pumping;
  private boolean ending;
  private boolean closed;
  private boolean doomed; // Takes no further request.
  private boolean cutAtReply;

  FaultLink(
      ContextInternal context, NetSocket client, FaultPlan plan, Consumer<FaultLink> whenClosed) {
    this.context = context;
    this.client = client;
    this.plan = plan;
    this.whenClosed = whenClosed;
    client.pause();
    client.handler(this::request);
    client.exceptionHandler(ignored -> {});
    client.closeHandler(ignored -> close());
  }

  /** The way to the server is open. */
  void target(NetSocket socket) {
    server = socket;
    if (closed) {
      socket.close();
      return;
    }
    socket.handler(this::reply);
    socket.exceptionHandler(ignored -> {});
    socket.closeHandler(ignored -> endSoon());
    follow();
  }

  /** Holds or releases both sockets, as the plan says. */
  void follow() {
    if (server == null || closed) {
      return;
    }
    if (plan.stalled) {
      client.pause();
      server.pause();
    } else {
      client.resume();
      server.resume();
      pump();
    }
  }

  void close() {
    if (!closed) {
      closed = true;
      client.close();
      if (server != null) {
        server.close();
      }
      whenClosed.accept(this);
    }
  }

  void reset() {
    if (!closed) {
      lingerZero();
      close();
    }
  }

  /** Makes the kernel send RST instead of FIN. */
  private void lingerZero() {
    var channel = ((NetSocketInternal) client).channelHandlerContext().channel();
    if (channel.isOpen()) { // The client may have closed already.
      channel.config().setOption(ChannelOption.SO_LINGER, 0);
    }
  }

  private void request(Buffer bytes) {
    if (closed || doomed) {
      return;
    }
    long left = plan.requestBytesLeft;
    if (left == FaultPlan.NEVER || bytes.length() < left) {
      plan.requestBytesLeft = left == FaultPlan.NEVER ? left : left - bytes.length();
      toServer(bytes);
    } else {
      plan.requestBytesLeft = FaultPlan.NEVER;
      doomed = true;
      toServer(bytes.getBuffer(0, (int) left)).onComplete(written -> reset());
    }
  }

  private Future<Void> toServer(Buffer bytes) {
    plan.bytesToServer.addAndGet(bytes.length());
    if (plan.cutAtReply) {
      // The reply is the proof that the server has carried the request out.
      plan.cutAtReply = false;
      cutAtReply = true;
    }
    return server.write(bytes);
  }

  private void reply(Buffer bytes) {
    if (cutAtReply) {
      reset();
    } else if (!closed && !doomed && !plan.muted) {
      shape(plan.repliesLeft == FaultPlan.NEVER ? bytes : counted(bytes));
    }
  }

  /** Whole replies up to the last one allowed; behind that the link is doomed. */
  private Buffer counted(Buffer bytes) {
    unread.appendBuffer(bytes);
    int from = 0;
    while (plan.repliesLeft > 0 && from < unread.length()) {
      int end = Resp.end(unread, from);
      if (end < 0) {
        break;
      }
      plan.repliesLeft -= Resp.isReply(unread, from) ? 1 : 0;
      from = end;
    }
    Buffer whole = unread.getBuffer(0, from);
    unread = unread.getBuffer(from, unread.length());
    doomed = plan.repliesLeft == 0;
    return whole;
  }

  private void shape(Buffer bytes) {
    if (pieces.isEmpty() && plan.repliesFlow()) {
      toClient(bytes);
    } else {
      split(bytes, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(plan.delayMillis));
      pump();
    }
    if (doomed) {
      plan.repliesLeft = FaultPlan.NEVER;
      endSoon();
    }
  }

  private void split(Buffer bytes, long dueNanos) {
    int size = plan.chunk == 0 ? Math.max(1, bytes.length()) : plan.chunk;
    for (int from = 0; from < bytes.length(); from += size) {
      int end = Math.min(bytes.length(), from + size);
      pieces.add(new Piece(bytes.getBuffer(from, end), dueNanos));
    }
  }

  /** One piece per turn of the loop, so that each is a write, and mostly a packet, of its own. */
  private void pump() {
    if (pumping || plan.stalled || closed) {
      return;
    }
    Piece next = pieces.peek();
    if (next == null) {
      finish();
      return;
    }
    pumping = true;
    later(next.dueNanos() - System.nanoTime(), this::sendNext);
  }

  private void sendNext() {
    pumping = false;
    if (!plan.stalled && !closed) {
      toClient(pieces.poll().bytes());
      pump();
    }
  }

  private Future<Void> toClient(Buffer bytes) {
    plan.bytesToClient.addAndGet(bytes.length());
    return client.write(bytes);
  }

  /** Ends when everything on its way to the client is out. */
  private void endSoon() {
    ending = true;
    pump();
  }

  private void finish() {
    if (ending) {
      close();
    }
  }

  private void later(long nanos, Runnable action) {
    if (nanos <= 0) {
      context.runOnContext(ignored -> action.run());
    } else {
      long millis = TimeUnit.NANOSECONDS.toMillis(nanos) + 1;
      context.owner().setTimer(millis, ignored -> action.run());
    }
  }
}
