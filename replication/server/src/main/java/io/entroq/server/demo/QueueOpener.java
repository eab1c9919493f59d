package io.entroq.server.demo;

import io.entroq.api.Durability;
import io.entroq.api.EntroQException;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import java.nio.file.Path;

final class QueueOpener {
  private QueueOpener() {}

  /**
   * Opens the queue in a data directory, which is created if missing.
   *
   * @throws DemoException if the directory is in use or cannot be used
   */
  static EmbeddedEntroQ open(Path directory, Durability durability) {
    try {
      return EmbeddedEntroQ.open(EmbeddedConfig.in(directory).durability(durability).build());
    } catch (EntroQException.Storage | IllegalStateException e) {
      throw new DemoException(e.getMessage(), e);
    }
  }
}
