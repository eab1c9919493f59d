package io.entroq.perf.code;

import io.entroq.perf.report.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Counts the lines of a checkout by module and purpose, and the top-level types of each package of
 * main code. It only reads sources, so it can also count older states.
 */
@Command(
    name = "LineCount",
    description = "Counts lines by module and purpose, and types by package.",
    mixinStandardHelpOptions = true)
public final class LineCount implements Callable<Integer> {
  private static final Path MAIN = Path.of("src/main/java");
  private static final Path TESTS = Path.of("src/test/java");

  @Parameters(index = "0", defaultValue = ".", description = "The checkout (${DEFAULT-VALUE}).")
  private Path root;

  @Option(names = "--packages", description = "Lists every package, not only the extremes.")
  private boolean isEveryPackage;

  private LineCount() {}

  public static void main(String[] args) {
    System.exit(new CommandLine(new LineCount()).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    List<Path> modules = modules();
    Table table =
        new Table(
            "module",
            "main code",
            "Javadoc",
            "comments",
            "schemas",
            "tests",
            "test comments",
            "documents",
            "main types",
            "packages");
    List<long[]> rows = new ArrayList<>();
    Map<String, Integer> typesByPackage = new TreeMap<>();
    for (Path module : modules) {
      long[] row = count(module, modules, typesByPackage);
      rows.add(row);
      add(table, module.equals(root) ? "(top level)" : root.relativize(module).toString(), row);
    }
    long[] sum = new long[rows.get(0).length];
    for (long[] row : rows) {
      for (int i = 0; i < sum.length; i++) {
        sum[i] += row[i];
      }
    }
    add(table, "all", sum);
    table.print();
    printPackages(typesByPackage);
    return 0;
  }

  private static void add(Table table, String name, long[] row) {
    Object[] cells = new Object[row.length + 1];
    cells[0] = name;
    for (int i = 0; i < row.length; i++) {
      cells[i + 1] = row[i];
    }
    table.row(cells);
  }

  private List<Path> modules() throws IOException {
    List<Path> modules = new ArrayList<>();
    try (Stream<Path> paths = Files.walk(root, 3)) {
      paths.filter(path -> path.endsWith("pom.xml")).map(Path::getParent).forEach(modules::add);
    }
    modules.sort(null);
    return modules;
  }

  private long[] count(Path module, List<Path> modules, Map<String, Integer> typesByPackage)
      throws IOException {
    SourceLines main = SourceLines.NONE;
    SourceLines tests = SourceLines.NONE;
    long types = 0;
    long packages = 0;
    for (Path file : files(module.resolve(MAIN), ".java")) {
      main = main.plus(SourceLines.of(Files.readAllLines(file)));
      if (file.endsWith("package-info.java")) {
        packages++;
      } else {
        types++;
        String name =
            module.resolve(MAIN).relativize(file.getParent()).toString().replace('/', '.');
        typesByPackage.merge(root.relativize(module) + " " + name, 1, Integer::sum);
      }
    }
    for (Path file : files(module.resolve(TESTS), ".java")) {
      tests = tests.plus(SourceLines.of(Files.readAllLines(file)));
    }
    return new long[] {
      main.code(),
      main.javadoc(),
      main.comments(),
      lines(files(module.resolve("src/main"), ".proto")),
      tests.code(),
      tests.javadoc() + tests.comments(),
      lines(documents(module, modules)),
      types,
      packages
    };
  }

  /** Markdown files in this module, but in none below it. */
  private static List<Path> documents(Path module, List<Path> modules) throws IOException {
    return files(module, ".md").stream()
        .filter(
            file ->
                modules.stream()
                    .noneMatch(
                        other ->
                            !other.equals(module)
                                && other.startsWith(module)
                                && file.startsWith(other)))
        .toList();
  }

  private static List<Path> files(Path directory, String ending) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> paths = Files.walk(directory)) {
      return paths
          .filter(path -> path.toString().endsWith(ending))
          .filter(path -> Stream.of("/target/", "/.git/").noneMatch(path.toString()::contains))
          .sorted()
          .toList();
    }
  }

  private static long lines(List<Path> files) {
    return files.stream().mapToLong(LineCount::lines).sum();
  }

  private static long lines(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.filter(line -> !line.isBlank()).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void printPackages(Map<String, Integer> typesByPackage) {
    Table table = new Table("package of main code", "types");
    typesByPackage.forEach(
        (name, types) -> {
          if (isEveryPackage || types > 30 || types < 3) {
            table.row(name, types);
          }
        });
    table.print();
  }
}
