package io.entroq.server.cli;

import io.entroq.tools.terminal.Interruption;
import java.io.IOException;
import java.io.InputStream;

/** Ends this process when its input ends, as it does with whoever has started it. */
final class InputEnd {
  private InputEnd() {}

  /** Asks for the end when it has come. */
  static void follow(Interruption interruption) {
    Thread reader = new Thread(() -> await(System.in, interruption), "entroq-input");
    reader.setDaemon(true);
    reader.start();
  }

  private static void await(InputStream input, Interruption interruption) {
    try {
      while (input.read() >= 0) {
        // Nobody says anything here.
      }
    } catch (IOException e) {
      // That is an end as well.
    }
    interruption.request();
  }
}
