package io.entroq.server.cli.history;

import io.entroq.api.EntroQ;
import io.entroq.codec.effect.EffectReader;
import io.entroq.codec.wire.IdKey;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.history.HistoryDirectory;
import io.entroq.engine.history.HistoryException;
import io.entroq.engine.history.HistoryReader;
import io.entroq.engine.history.ReplayWatch;
import io.entroq.engine.history.StateAt;
import io.entroq.server.cli.log.DurabilityOption;
import io.entroq.server.cli.queue.options.HelpOptions;
import io.entroq.tools.log.JsonLines;
import io.entroq.tools.log.ScanEndedException;
import io.entroq.tools.terminal.Interruption;
import io.entroq.tools.terminal.PlainLine;
import io.entroq.tools.terminal.Terminal;
import io.entroq.tools.terminal.WaitBar;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that prints effects of the past. Failures are exceptions with a one-line message. */
abstract class HistoryCommand implements Callable<Integer> {
  private static final int STATUS_OK = 0;
  private static final int LINES_BETWEEN_CHECKS = 64;

  @Spec private CommandSpec spec;
  @Mixin HelpOptions help;

  @Mixin private DurabilityOption durability;

  @Option(
      names = {"-j", "--json"},
      description = "Print a JSON object per line; what does not apply has no member.")
  private boolean isJson;

  private HistoryDirectory history;
  private ReplayWatch watch;
  private int printed;

  @Override
  public Integer call() {
    checkOptions();
    try (Interruption interruption = new Interruption("command");
        HistoryDirectory opened = HistoryDirectory.open(data(), durability.policy(), spec.name());
        WaitBar bar = WaitBar.ofItems("reading", -1, "records", isProgressVisible());
        JsonLines lines = json()) {
      history = opened;
      watch =
          sequence -> {
            bar.at(sequence);
            return !interruption.isRequested();
          };
      run(lines);
      return STATUS_OK;
    } catch (ScanEndedException e) {
      // The reader closed the output.
      return STATUS_OK;
    } catch (HistoryException e) {
      if (e.reason() == HistoryException.Reason.ABANDONED) {
        return interrupted();
      }
      throw e;
    }
  }

  /**
   * Reads the past of a server instead.
   *
   * @param reader reads and prints; returns false if it was interrupted before the end
   */
  final int callServer(PastOptions source, BiPredicate<ServerPast, JsonLines> reader) {
    checkOptions();
    try (Interruption interruption = new Interruption("command");
        JsonLines lines = json();
        EntroQ queue = source.connect()) {
      return reader.test(new ServerPast(queue, interruption), lines) ? STATUS_OK : interrupted();
    } catch (ScanEndedException e) {
      // The reader closed the output.
      return STATUS_OK;
    }
  }

  private int interrupted() {
    PlainLine.print(
        spec.commandLine().getErr(), spec.qualifiedName() + ": interrupted, not complete");
    return Interruption.STATUS;
  }

  private static boolean isProgressVisible() {
    return Terminal.isErrorAttached() && !Terminal.isOutputAttached();
  }

  /**
   * Checks the options before anything is opened.
   *
   * @throws ParameterException if they are invalid
   */
  void checkOptions() {}

  /** The directory that is read. */
  abstract Path data();

  /** Reads and prints. */
  abstract void run(JsonLines lines);

  final DurabilityOption durability() {
    return durability;
  }

  final CommandSpec spec() {
    return spec;
  }

  final JsonLines json() {
    return new JsonLines(spec.commandLine().getOut());
  }

  final boolean isJson() {
    return isJson;
  }

  /** The first point that can be read. */
  final HistoryPoint first() {
    return HistoryPoint.at(history.first());
  }

  /** Shows all effects after a point until another one; returns the last step read. */
  final long read(HistoryPoint after, HistoryPoint until, Consumer<EffectReader> effects) {
    return read(after, until, List.of(), effects);
  }

  /**
   * The same for some tasks.
   *
   * @param ids of the tasks; none: all effects
   */
  final long read(
      HistoryPoint after,
      HistoryPoint until,
      Collection<IdKey> ids,
      Consumer<EffectReader> effects) {
    long[] last = new long[1];
    long memoryBytesMax = EmbeddedConfig.in(data()).readOnly(true).build().memoryBytesMax();
    new HistoryReader(new StateAt(history, memoryBytesMax, watch), ids, false)
        .read(
            after,
            until,
            new EffectConsumer() {
              @Override
              public void onEffect(EffectReader effect) {
                effects.accept(effect);
              }

              @Override
              public void onMark(long sequence, long logTimeMs) {
                last[0] = sequence;
              }
            });
    return last[0];
  }

  /** Prints an effect. */
  final void print(EffectFields fields, JsonLines lines) {
    if (isJson) {
      lines.line(fields::write);
    } else {
      print(fields.line());
    }
  }

  final void print(String line) {
    PlainLine.print(spec.commandLine().getOut(), line);
    printed++;
    if (printed % LINES_BETWEEN_CHECKS == 0 && spec.commandLine().getOut().checkError()) {
      throw new ScanEndedException();
    }
  }

  /** Prints a line to standard error. */
  final void note(String line) {
    PlainLine.print(spec.commandLine().getErr(), spec.qualifiedName() + ": " + line);
  }

  final ParameterException usageError(String why) {
    return new ParameterException(spec.commandLine(), why);
  }
}
