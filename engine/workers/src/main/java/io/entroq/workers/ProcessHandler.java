package io.entroq.workers;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.entroq.api.EntroQException;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkContext;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Runs a program for each task, with the task's value on its standard input.
 *
 * <p>The program gets JSON as text, bytes as they are, and nothing if there is no value. No shell
 * is used. The result is {@code {"cmd", "dir", "env", "err", "stdout", "stderr", "exit"}}, which
 * has the names of EntroQ's subprocess worker. It goes to the outbox if the program ends with
 * status 0, else to the errbox; to the errbox followed by {@code /failed-start} if the program
 * cannot be started. Unlike with EntroQ's worker, tasks do not choose the program, which would let
 * everyone who may insert a task run anything.
 *
 * <p>The environment has nothing but the variables given here and {@code ENTROQ_QUEUE}, {@code
 * ENTROQ_ATTEMPT} and {@code ENTROQ_KEY}. The latter is the same whenever a task is worked on, and
 * another one for each task: a program may be run more than once for a task, and its effects should
 * depend on the key.
 *
 * <p>A program that takes too long, or whose lease is lost, is killed with all its descendants. A
 * descendant whose parent has ended already is not found. After the program has ended, its output
 * is read for one more second, if a descendant keeps it open. Such an output keeps threads of this
 * process until the descendant ends; if there are 200 of them, tasks fail and are retried.
 */
public final class ProcessHandler implements Handler<Value> {
  /** The default for how long a program may run: 1 minute. */
  public static final Duration TIMEOUT_DEFAULT = Duration.ofMinutes(1);

  /** The default for the bytes of each output that a result keeps: 256 KiB. */
  public static final int OUTPUT_BYTES_DEFAULT = 256 * 1024;

  private static final int OUTPUT_BYTES_MAX = 512 * 1024;

  /** Even if each byte takes six characters in JSON, two of them fit. */
  private static final int OUTPUT_BYTES_SAFE = 64 * 1024;

  private static final Duration TIME_MAX = Duration.ofDays(1);

  private final List<String> command;
  private final Results results;
  private final Path directory;
  private final Map<String, String> environment;
  private final Duration timeout;
  private final int outputBytesMax;

  private record Output(
      List<String> cmd,
      String dir,
      List<String> env,
      String err,
      String stdout,
      String stderr,
      @JsonInclude(JsonInclude.Include.NON_NULL) Integer exit) {}

  private ProcessHandler(
      List<String> command,
      Results results,
      Path directory,
      Map<String, String> environment,
      Duration timeout,
      int outputBytesMax) {
    this.command = command;
    this.results = Objects.requireNonNull(results, "results");
    this.directory = directory;
    this.environment = environment;
    this.timeout = timeout;
    this.outputBytesMax = outputBytesMax;
  }

  /**
   * Runs this program in the current directory, without variables, with the default limits.
   *
   * @param command the program and its arguments, at least one; a name without a slash is looked
   *     for along the path of this process
   */
  public static ProcessHandler of(List<String> command, Results results) {
    List<String> copy = List.copyOf(command);
    if (copy.isEmpty() || copy.get(0).isEmpty()) {
      throw new EntroQException.InvalidArgument("the command is empty");
    }
    if (copy.stream().anyMatch(word -> word.indexOf('\0') >= 0)) {
      throw new EntroQException.InvalidArgument("the command must not have NUL characters");
    }
    return new ProcessHandler(
        copy,
        results,
        Path.of("").toAbsolutePath(),
        Map.of(),
        TIMEOUT_DEFAULT,
        OUTPUT_BYTES_DEFAULT);
  }

  /** The same in this directory, which must exist when a task comes. */
  public ProcessHandler in(Path newDirectory) {
    return new ProcessHandler(
        command, results, newDirectory.toAbsolutePath(), environment, timeout, outputBytesMax);
  }

  /**
   * The same with these variables, and no others.
   *
   * @throws EntroQException.InvalidArgument if a name or value is not possible
   */
  public ProcessHandler with(Map<String, String> variables) {
    variables.forEach(
        (name, value) -> {
          boolean isName = !name.isEmpty() && name.indexOf('=') < 0 && name.indexOf('\0') < 0;
          if (!isName || value.indexOf('\0') >= 0) {
            throw new EntroQException.InvalidArgument(
                "'%s' is not a possible variable".formatted(name));
          }
        });
    return new ProcessHandler(
        command, results, directory, Map.copyOf(variables), timeout, outputBytesMax);
  }

  /**
   * The same with other limits.
   *
   * @param newTimeout how long it may run: 1 ms to 24 hours
   * @param newOutputBytesMax how many bytes of each of the two outputs a result keeps, namely the
   *     last ones: 0 to 524,288
   * @throws EntroQException.InvalidArgument if one is out of range
   */
  public ProcessHandler withLimits(Duration newTimeout, int newOutputBytesMax) {
    Limits.time("timeout", newTimeout, TIME_MAX);
    Limits.count("output bytes", newOutputBytesMax, 0, OUTPUT_BYTES_MAX);
    return new ProcessHandler(
        command, results, directory, environment, newTimeout, newOutputBytesMax);
  }

  @Override
  public Outcome handle(WorkContext<Value> work) throws InterruptedException {
    Task task = work.task();
    Results.Destination destination = results.of(task, null, null);
    ProcessRun run;
    try {
      run = ProcessRun.start(builder(task), outputBytesMax, ProcessRun.LEFT_READERS_MAX);
    } catch (IOException e) {
      return failed(task, destination, "/failed-start", output("", "", e.getMessage(), null));
    }
    boolean ended = run.await(Json.bytes(work.value()), timeout);
    String failure =
        !ended
            ? "killed after " + timeout.toMillis() + " ms"
            : run.status() == 0 ? "" : "exit status " + run.status();
    Output output =
        output(
            run.stdout(outputBytesMax),
            run.stderr(outputBytesMax),
            failure,
            ended ? run.status() : null);
    if (Json.write(output).size() > Results.VALUE_BYTES_MAX) {
      output =
          output(
              run.stdout(OUTPUT_BYTES_SAFE), run.stderr(OUTPUT_BYTES_SAFE), failure, output.exit());
    }
    return failure.isEmpty() ? destination.done(output) : failed(task, destination, "", output);
  }

  private Outcome failed(Task task, Results.Destination destination, String suffix, Output output) {
    return results.repeats(task) ? Outcome.retry(output.err()) : destination.failed(suffix, output);
  }

  private Output output(String stdout, String stderr, String failure, Integer status) {
    List<String> variables =
        new TreeMap<>(environment)
            .entrySet().stream().map(entry -> entry.getKey() + "=" + entry.getValue()).toList();
    return new Output(
        command, directory.toString(), variables, Results.shorten(failure), stdout, stderr, status);
  }

  private ProcessBuilder builder(Task task) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(new File(directory.toString()));
    Map<String, String> variables = builder.environment();
    variables.clear();
    variables.putAll(environment);
    variables.put("ENTROQ_QUEUE", task.queue().replace("\0", ""));
    variables.put("ENTROQ_ATTEMPT", Integer.toString(task.attempt()));
    variables.put("ENTROQ_KEY", Json.workKey(task));
    return builder;
  }
}
