package io.entroq.perf.startup;

import io.entroq.engine.JvmFlags;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.process.JavaProcess;
import io.entroq.perf.report.BenchmarkCommand;
import io.entroq.perf.report.Report;
import io.entroq.perf.report.Spread;
import io.entroq.perf.report.Table;
import io.entroq.perf.startup.BuiltCheckout.Product;
import io.entroq.perf.startup.BuiltCheckout.Size;
import io.entroq.tools.terminal.OptionRange;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares the jars of two builds, and how long their processes take to do their first work. */
@Command(
    name = "StartUp",
    description = "Compares sizes and start-up times of two builds.",
    footer = {
      "",
      "Each checkout is built by",
      "  mvn -DskipTests package org.apache.maven.plugins:maven-dependency-plugin:3.9.0:"
          + "copy-dependencies -DincludeScope=runtime "
          + "'-DoutputDirectory=$${project.build.directory}/lib'"
    })
public final class StartUp extends BenchmarkCommand {
  /** Begins the line of a program that has done its work. */
  static final String DONE = "done after ms ";

  private static final String GREETING = "Starting EntroQ server ";

  @Option(
      names = "--before",
      required = true,
      description = "A built checkout. Its JVMs get the flags that engines needed once.")
  private Path before;

  @Option(names = "--after", required = true, description = "Another one. Its JVMs get no flags.")
  private Path after;

  @Option(names = "--rounds", description = "Starts of each process (${DEFAULT-VALUE}).")
  private int rounds = 11;

  @Mixin private final ScratchDirectory scratch = new ScratchDirectory();

  private final Map<String, List<Double>> beforeMs = new LinkedHashMap<>();
  private final Map<String, List<Double>> afterMs = new LinkedHashMap<>();
  private int directories;

  private StartUp() {}

  public static void main(String[] args) {
    run(new StartUp(), args);
  }

  @Override
  protected void measure(Report report) throws IOException {
    OptionRange.require("--rounds", rounds, 1, 1_000);
    BuiltCheckout first = new BuiltCheckout(before, List.of(JvmFlags.line().split(" ", 0)));
    BuiltCheckout second = new BuiltCheckout(after, List.of());
    printSizes(report, first, second);
    try (scratch) {
      copyClass(FirstTask.class);
      copyClass(FirstCall.class);
      // The first start of each reads its jars from the disk.
      start(first);
      start(second);
      for (int round = 0; round < rounds; round++) {
        try {
          boolean isBeforeFirst = round % 2 == 0;
          Map<String, Double> one = start(isBeforeFirst ? first : second);
          Map<String, Double> other = start(isBeforeFirst ? second : first);
          add(beforeMs, isBeforeFirst ? one : other);
          add(afterMs, isBeforeFirst ? other : one);
          Report.note("round %d", round);
        } catch (IOException e) {
          // Such as a call that ran into its deadline, beside other work on the machine.
          Report.note("round %d is left out: %s", round, e.getMessage());
          report.figure("round left out", round);
        }
      }
    }
    if (beforeMs.isEmpty()) {
      throw new IOException("every round failed");
    }
    printTimes(report);
  }

  private static void printSizes(Report report, BuiltCheckout first, BuiltCheckout second)
      throws IOException {
    Table table = new Table("sizes", "jars before", "MB before", "jars", "MB");
    for (Product product : Product.values()) {
      Size now = second.size(product);
      if (first.has(product)) {
        Size old = first.size(product);
        table.row(product.label(), old.jars(), old.megabytes(), now.jars(), now.megabytes());
        report.figure(product.label() + ", bytes before", old.bytes());
      } else {
        table.row(product.label(), "", "", now.jars(), now.megabytes());
      }
      report.figure(product.label() + ", bytes after", now.bytes());
    }
    table.print();
  }

  /** Copies a program's class, so that its process has no other class of this build. */
  private void copyClass(Class<?> program) throws IOException {
    String file = program.getName().replace('.', '/') + ".class";
    Path copy = classes().resolve(file);
    Files.createDirectories(copy.getParent());
    try (InputStream in = program.getClassLoader().getResourceAsStream(file)) {
      Files.copy(in, copy);
    }
  }

  private Path classes() {
    return scratch.resolve("classes");
  }

  /** Starts every process of a build once. */
  private Map<String, Double> start(BuiltCheckout build) throws IOException {
    Map<String, Double> times = new LinkedHashMap<>();
    long startNs = System.nanoTime();
    try (JavaProcess server = server(build, List.of())) {
      port(server);
      add(times, "server: ready", msSince(startNs), server);
    }
    startNs = System.nanoTime();
    try (JavaProcess server = server(build, List.of("--warm-up", "0"))) {
      String address = "127.0.0.1:" + port(server);
      add(times, "server without warm-up: ready", msSince(startNs), server);
      run(build, times, Product.CLIENT, FirstCall.class, address, "client: first call answered");
    }
    run(
        build,
        times,
        Product.EMBEDDED,
        FirstTask.class,
        newDirectory(),
        "embedded: first task committed");
    return times;
  }

  private JavaProcess server(BuiltCheckout build, List<String> options) throws IOException {
    List<String> command = java(build);
    command.addAll(List.of("-jar", build.server().toString(), "serve", "--data", newDirectory()));
    command.addAll(List.of("--port", "0", "--http-port", "0"));
    command.addAll(options);
    return new JavaProcess(command, Redirect.DISCARD);
  }

  private static String port(JavaProcess server) throws IOException {
    String greeting = server.await(GREETING);
    return greeting.substring(0, greeting.indexOf(' '));
  }

  private void run(
      BuiltCheckout build,
      Map<String, Double> times,
      Product product,
      Class<?> program,
      String argument,
      String done)
      throws IOException {
    List<String> command = java(build);
    command.addAll(List.of("-cp", build.classPath(classes(), product), program.getName()));
    command.add(argument);
    long startNs = System.nanoTime();
    try (JavaProcess process = new JavaProcess(command, Redirect.INHERIT)) {
      double mainMs = Double.parseDouble(process.await(DONE));
      add(times, done, msSince(startNs), process);
      times.put(done + ", from the start of main", mainMs);
    }
  }

  private static List<String> java(BuiltCheckout build) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(build.flags());
    return command;
  }

  private String newDirectory() {
    return scratch.resolve("data" + directories++).toString();
  }

  private static double msSince(long startNs) {
    return (System.nanoTime() - startNs) / 1e6;
  }

  /** Adds a time since a process was started, and what it has used of the processors. */
  private static void add(Map<String, Double> times, String name, double ms, JavaProcess process) {
    times.put(name, ms);
    times.put(name + ", processors", process.processorTime().toNanos() / 1e6);
  }

  private static void add(Map<String, List<Double>> all, Map<String, Double> round) {
    round.forEach((name, ms) -> all.computeIfAbsent(name, key -> new ArrayList<>()).add(ms));
  }

  private void printTimes(Report report) {
    Table table =
        new Table("ms, medians", "before", "after", "after to before, least", "median", "greatest");
    beforeMs.forEach(
        (name, old) -> {
          List<Double> now = afterMs.get(name);
          double oldMedian = Spread.of(old, ms -> ms).median();
          double newMedian = Spread.of(now, ms -> ms).median();
          Spread ratio = Spread.ofRatios(now, old);
          table.row(name, oldMedian, newMedian, ratio);
          report.figure(
              name, Map.of("before", oldMedian, "after", newMedian, "ratio", ratio.toMap()));
        });
    table.print();
  }
}
