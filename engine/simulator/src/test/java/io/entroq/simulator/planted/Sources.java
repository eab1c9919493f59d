package io.entroq.simulator.planted;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The production sources of the checkout that the tests run in. */
final class Sources {
  private static final List<String> MODULES =
      List.of("codec/record", "codec/wire", "engine/api", "engine/core");

  private final Path root = root(Path.of("").toAbsolutePath());

  private static Path root(Path inside) {
    Path at = inside;
    while (!Files.isDirectory(at.resolve(MODULES.get(0)))) {
      at = at.getParent();
      if (at == null) {
        throw new IllegalStateException("no checkout around " + inside);
      }
    }
    return at;
  }

  /** The lines of the source of a top-level class. */
  List<String> of(String className) {
    String file = "src/main/java/" + className.replace('.', '/') + ".java";
    for (String module : MODULES) {
      Path path = root.resolve(module).resolve(file);
      if (Files.exists(path)) {
        return read(path);
      }
    }
    throw new IllegalStateException("no source of " + className);
  }

  private static List<String> read(Path path) {
    try {
      return Files.readAllLines(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
