package io.entroq.simulator.golden;

import io.entroq.engine.state.Levels;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Writes the golden snapshot of the newest behavior level, if it has none yet, from its golden log.
 * The README beside the logs explains when and how.
 */
public final class GoldenSnapshotWriter {
  private GoldenSnapshotWriter() {}

  /**
   * Writes it.
   *
   * @param arguments the folder of the test resources, and the level if not the newest
   * @throws IOException if the level has a snapshot or no log, or the files cannot be written
   */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length < 1 || arguments.length > 2) {
      System.err.println("usage: GoldenSnapshotWriter <folder of the test resources> [<level>]");
      System.exit(2);
    }
    int level = arguments.length == 1 ? Levels.MAX : Integer.parseInt(arguments[1]);
    write(Path.of(arguments[0]), level);
  }

  static void write(Path resources, int level) throws IOException {
    Path folder = resources.resolve(GoldenLog.folder(level));
    GoldenSnapshot.write(GoldenLog.read(level), level, folder);
  }
}
