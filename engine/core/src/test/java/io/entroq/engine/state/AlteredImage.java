package io.entroq.engine.state;

import io.entroq.engine.memory.ImageException;
import org.agrona.concurrent.UnsafeBuffer;

/** Images that are not what a machine wrote. */
final class AlteredImage {
  private AlteredImage() {}

  /**
   * What is said of the image of a machine in which a number of the first item of a kind was
   * replaced.
   *
   * @return the message of the refusal, or {@code loaded}
   */
  static String refusal(StateMachine machine, int alteredKind, int offset, int value) {
    StateLoader loader = new StateLoader(StateMachineConfig.DEFAULT);
    try {
      machine
          .freeze()
          .writeTo(
              (kind, items, buffer, from, length) -> {
                UnsafeBuffer chunk = new UnsafeBuffer(new byte[length]);
                chunk.putBytes(0, buffer, from, length);
                if (kind == alteredKind) {
                  chunk.putInt(offset, value);
                }
                loader.onChunk(kind, items, chunk, 0, length);
              });
      loader.finish().close();
      return "loaded";
    } catch (ImageException e) {
      return e.getMessage();
    } finally {
      machine.thaw();
    }
  }
}
