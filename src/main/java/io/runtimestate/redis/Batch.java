package io.runtimestate.redis;

import io.vertx.core.Completable;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Exchanges that one command carries. Its reply has a line for each of them, in their order; one
 * that begins with a dash is the refusal of that exchange. Whatever happens to the command happens
 * to each exchange, which goes on as if it had been sent alone.
 */
final class Batch implements Completable<Response> {
  private static final char REFUSED = '-';
  private static final String MALFORMED = "";

  private final Link link;
  private final List<Exchange<?>> members;

  Batch(Link link, List<Exchange<?>> members) {
    this.link = link;
    this.members = members;
    members.forEach(Exchange::joined);
  }

  RedisCommand command() {
    List<Joint> joints = new ArrayList<>(members.size());
    boolean withText = false;
    for (Exchange<?> member : members) {
      joints.add(member.command().joint());
      withText |= !member.command().isScript();
    }
    return Joint.joined(joints, withText);
  }

  @Override
  public void complete(Response response, Throwable failure) {
    if (failure == null) {
      answer(Replies.lines(response));
    } else {
      members.forEach(member -> link.failed(member, failure));
    }
  }

  private void answer(Iterator<String> lines) {
    for (Exchange<?> member : members) {
      String line = lines.hasNext() ? lines.next() : MALFORMED;
      if (!line.isEmpty() && line.charAt(0) == REFUSED) {
        link.refused(member, line.substring(1));
      } else {
        link.answered(member, line);
      }
    }
  }
}
