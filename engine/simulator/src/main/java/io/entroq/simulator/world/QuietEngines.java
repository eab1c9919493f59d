package io.entroq.simulator.world;

import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Has the engines of this JVM log nothing for a while: what they have to say of the trouble that
 * worlds make for them would fill a disk. For whoever has the JVM for himself.
 */
public final class QuietEngines {
  private QuietEngines() {}

  /** Does something, while they say nothing. */
  public static <T> T during(Supplier<T> action) {
    Logger engines = Logger.getLogger("io.entroq.engine");
    Level before = engines.getLevel();
    engines.setLevel(Level.OFF);
    try {
      return action.get();
    } finally {
      engines.setLevel(before);
    }
  }
}
