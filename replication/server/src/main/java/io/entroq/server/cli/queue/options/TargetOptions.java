package io.entroq.server.cli.queue.options;

import io.entroq.api.Durability;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.history.HistoryException;
import io.entroq.engine.log.LogDirectory;
import io.entroq.tools.terminal.CommandException;
import io.entroq.tools.terminal.Interruption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The options that select the queue and the claimant. Commands cannot tell whether the queue is in
 * a directory or on a server.
 */
public final class TargetOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data directory, instead of a server. No other process may be using it.")
  private Path data;

  /** Given by {@code entroq at}. */
  @Option(names = "--as-of", hidden = true, converter = PointText.Converter.class)
  private PointText asOf;

  @Mixin private ServerOptions server;

  @Option(
      names = "--durability",
      paramLabel = "LEVEL",
      description =
          "With --data, what the success of the command guarantees: none, os (survives a crash of"
              + " the process), disk (survives a power failure). Default: os.")
  private Durability durability;

  @Option(
      names = "--claimant",
      paramLabel = "NAME",
      converter = ClaimantConverter.class,
      defaultValue = "${env:EQC_CLAIMANT}",
      description =
          "Claimant. Only the same claimant can change or delete what a command has claimed."
              + " Default: $EQC_CLAIMANT, else a random name.")
  private String claimant;

  /** Null until the command listens for one. */
  private Interruption interruption;

  /** The claimant; empty if none was given. */
  public String claimant() {
    return claimant == null ? "" : claimant;
  }

  /**
   * Checks that the options select exactly one queue.
   *
   * @throws ParameterException if not
   */
  public void check() {
    if (data != null && server.named().isPresent()) {
      throw usageError("--data and -s cannot be combined");
    }
    if (data == null && server.address().isEmpty()) {
      throw usageError("Missing required option: '--data=DIR' or '--svcaddr=HOST:PORT'");
    }
    if (data == null && durability != null) {
      throw usageError("--durability applies to --data; a server has its own setting");
    }
    server.check(command.commandLine(), data == null);
  }

  private ParameterException usageError(String why) {
    return new ParameterException(command.commandLine(), why);
  }

  /**
   * The normalized location of the queue: a server's address, or a directory.
   *
   * @throws io.entroq.api.EntroQException.InvalidArgument if the address is invalid
   */
  public String where() {
    return data == null
        ? ServerOptions.where(server.address().orElseThrow())
        : data.toAbsolutePath().normalize().toString();
  }

  /**
   * Starts to listen for the end of the process.
   *
   * @param what name of the work
   * @param patience how long it may take to end
   * @param isWriting whether it writes a log if the queue is in a directory
   */
  public Interruption listen(String what, Duration patience, boolean isWriting) {
    interruption =
        data == null || !isWriting
            ? new Interruption(what, patience)
            : Interruption.ofEngine(what, patience);
    return interruption;
  }

  /**
   * Opens the queue, which must exist.
   *
   * @throws EntroQException.Storage if it does not exist or cannot be opened
   * @throws io.entroq.api.EntroQException if the server is not available
   * @throws CommandException if the JVM lacks flags
   */
  public EntroQ open() {
    requirePresent();
    if (data == null) {
      return connect();
    }
    // Check first: opening would create the directory.
    LogDirectory.read(data);
    return openAny(false);
  }

  /**
   * Opens the queue, which must exist, to change nothing in it. Writes nothing to a directory.
   *
   * @throws EntroQException.Storage if it does not exist or cannot be read
   * @throws io.entroq.api.EntroQException if the server is not available
   * @throws CommandException if the JVM lacks flags
   * @throws CancellationException if the process should end
   */
  public EntroQ openToRead() {
    if (data == null) {
      return connect();
    }
    LogDirectory.read(data);
    return openAny(true);
  }

  /**
   * Opens the queue, and creates it if it does not exist.
   *
   * @param notes receives a note if it was created
   * @throws EntroQException.Storage if it cannot be opened
   * @throws io.entroq.api.EntroQException if the server is not available
   * @throws CommandException if the JVM lacks flags
   */
  public EntroQ openOrCreate(Consumer<String> notes) {
    requirePresent();
    if (data == null) {
      return connect();
    }
    boolean isNew = Files.notExists(data);
    EntroQ queue = openAny(false);
    if (isNew) {
      notes.accept("created the data directory " + data.toAbsolutePath().normalize());
    }
    return queue;
  }

  private void requirePresent() {
    if (asOf != null) {
      throw usageError("it changes the queue, and the past cannot be changed");
    }
  }

  private EntroQ connect() {
    return server.connect(
        server.address().orElseThrow(), Optional.ofNullable(asOf).map(PointText::point));
  }

  private boolean isInterrupted() {
    return interruption != null && interruption.isRequested();
  }

  private EntroQ openAny(boolean isReadOnly) {
    Durability level = durability == null ? Durability.OS : durability;
    try {
      EmbeddedConfig.Builder config =
          EmbeddedConfig.in(data).durability(level).readOnly(isReadOnly);
      if (asOf != null) {
        config.asOf(asOf.point(), sequence -> !isInterrupted());
      }
      return EmbeddedEntroQ.open(config.build());
    } catch (EntroQException.Storage e) {
      if (e.getCause() instanceof HistoryException history
          && history.reason() == HistoryException.Reason.ABANDONED) {
        throw new CancellationException(e.getMessage());
      }
      throw e;
    } catch (IllegalStateException e) {
      // The JVM lacks flags that the engine needs.
      throw new CommandException(e.getMessage(), e);
    }
  }
}
