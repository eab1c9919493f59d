package io.entroq.perf.startup;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A checkout that has been built, with the libraries of its modules in {@code target/lib}.
 *
 * @param root its directory
 * @param flags of the JVMs that run it
 */
record BuiltCheckout(Path root, List<String> flags) {
  /** What somebody takes along. */
  enum Product {
    SERVER("server", "replication/server"),
    EMBEDDED("embedded queue", "engine/core"),
    CLIENT("client", "replication/client"),
    STARTER("starter for Spring Boot", "replication/spring");

    private final String label;
    private final String module;

    Product(String label, String module) {
      this.label = label;
      this.module = module;
    }

    String label() {
      return label;
    }
  }

  /** Jars, and their bytes together. */
  record Size(int jars, long bytes) {
    double megabytes() {
      return bytes / 1e6;
    }
  }

  /** The runnable jar. */
  Path server() {
    return root.resolve("replication/server/target/entroq.jar");
  }

  /** Whether it has the product at all. */
  boolean has(Product product) {
    return Files.isDirectory(root.resolve(product.module));
  }

  Size size(Product product) throws IOException {
    List<Path> jars = product == Product.SERVER ? List.of(server()) : jars(product);
    long bytes = 0;
    for (Path jar : jars) {
      bytes += Files.size(jar);
    }
    return new Size(jars.size(), bytes);
  }

  /** The class path of a program, after the directory with its own classes. */
  String classPath(Path classes, Product product) throws IOException {
    return Stream.concat(Stream.of(classes), jars(product).stream())
        .map(path -> path.toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** The jar of a module and the libraries that it needs at run time. */
  private List<Path> jars(Product product) throws IOException {
    Path target = root.resolve(product.module).resolve("target");
    List<Path> jars = new ArrayList<>();
    for (Path directory : List.of(target, target.resolve("lib"))) {
      try (Stream<Path> files = Files.list(directory)) {
        files.filter(BuiltCheckout::isLibrary).sorted().forEach(jars::add);
      }
    }
    return jars;
  }

  private static boolean isLibrary(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".jar") && !name.matches(".*-(tests|sources|javadoc)[.]jar");
  }
}
