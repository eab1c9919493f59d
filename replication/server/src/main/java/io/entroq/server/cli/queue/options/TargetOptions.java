package io.entroq.server.cli.queue.options;

import io.entroq.api.Durability;
import io.entroq.api.EntroQ;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.log.LogDirectory;
import io.entroq.server.terminal.CommandException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/**
 * The options that say which queue a command is about, and in whose name it asks. Nothing else
 * knows what kind of queue that is.
 */
public final class TargetOptions {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      required = true,
      description = "The data directory. No other process may be using it meanwhile.")
  private Path data;

  @Option(
      names = "--durability",
      paramLabel = "LEVEL",
      description =
          "What has to be true before the command says that it is done: none, os (survives a crash"
              + " of the process), disk (survives loss of power). Default: os.")
  private Durability durability = Durability.OS;

  @Option(
      names = "--claimant",
      paramLabel = "NAME",
      converter = ClaimantConverter.class,
      defaultValue = "${env:EQC_CLAIMANT}",
      description =
          "In whose name to ask. What one command has claimed, another one may change or delete in"
              + " the same name only. Default: $EQC_CLAIMANT, or else a new random name.")
  private String claimant;

  /** The claimant that was named; empty if none was. */
  public String claimant() {
    return claimant == null ? "" : claimant;
  }

  /**
   * Opens the queue, which must exist.
   *
   * @throws io.entroq.engine.log.LogException if it does not exist or cannot be opened
   * @throws CommandException if the JVM lacks flags
   */
  public EntroQ open() {
    // Looks first, as opening would make what is not there.
    LogDirectory.read(data);
    return openAny();
  }

  /**
   * Opens the queue, and makes it if it does not exist.
   *
   * @param notices hears that it was made
   * @throws io.entroq.engine.log.LogException if it cannot be opened
   * @throws CommandException if the JVM lacks flags
   */
  public EntroQ openOrMake(Consumer<String> notices) {
    boolean isNew = Files.notExists(data);
    EntroQ queue = openAny();
    if (isNew) {
      notices.accept("made the data directory " + data.toAbsolutePath().normalize());
    }
    return queue;
  }

  private EntroQ openAny() {
    try {
      return EmbeddedEntroQ.open(EmbeddedConfig.in(data).durability(durability).build());
    } catch (IllegalStateException e) {
      // What a JVM is told that was started without the flags that the engine needs.
      throw new CommandException(e.getMessage(), e);
    }
  }
}
