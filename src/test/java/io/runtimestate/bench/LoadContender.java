package io.runtimestate.bench;

import java.util.function.Consumer;

/**
 * Work under load.
 *
 * @param reader makes of the answer what an application would, on the thread it came on; null if
 *     the contender has done so
 * @param confined whether answers come on the event loop of the caller
 */
record LoadContender(String name, Work work, Consumer<Object> reader, boolean confined, Load load)
    implements Contender {
  @Override
  public Sample round(long millis) throws InterruptedException {
    return new Round(this).run(millis);
  }
}
