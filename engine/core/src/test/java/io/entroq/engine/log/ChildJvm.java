package io.entroq.engine.log;

import io.entroq.api.process.ShortLived;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A JVM without the engine's flags, as users start them, which tests start and kill. */
public final class ChildJvm implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;
  private final Path errors;

  private ChildJvm(Process process, Path errors) {
    this.process = process;
    this.output = process.inputReader();
    this.errors = errors;
  }

  /**
   * Starts the main class; what it writes to its stderr goes to a file in {@code scratch}.
   *
   * @param wrapper a command that starts the command that follows, perhaps empty
   */
  public static ChildJvm start(List<String> wrapper, Path scratch, Class<?> main, String... args)
      throws IOException {
    List<String> command = new ArrayList<>(wrapper);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ShortLived.FLAGS);
    command.add("-Xmx256m");
    command.add("-Duser.home=" + scratch);
    command.add("-cp");
    command.add(classPath());
    command.add(main.getName());
    command.addAll(List.of(args));
    Path errors = Files.createTempFile(scratch, "stderr", ".txt");
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
    return new ChildJvm(builder.start(), errors);
  }

  private static String classPath() {
    String forked = System.getProperty("surefire.test.class.path");
    String path = forked == null ? System.getProperty("java.class.path") : forked;
    // As in an application that has chosen no logger.
    return Stream.of(path.split(File.pathSeparator))
        .filter(entry -> !entry.contains("slf4j-simple"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  public long pid() {
    return process.pid();
  }

  /** The next line of its output, null at the end. */
  public String readLine() throws IOException {
    return output.readLine();
  }

  /** Kills it as kill -9 does and waits until it is gone. What it has written can still be read. */
  public void kill() {
    // By handles: killed by the process object, its output would be closed with it.
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    all.add(process.toHandle());
    all.forEach(ProcessHandle::destroyForcibly);
    all.forEach(each -> each.onExit().join());
  }

  public String errors() throws IOException {
    return Files.readString(errors);
  }

  @Override
  public void close() throws IOException {
    kill();
    output.close();
  }
}
