package io.entroq.server.cli.history;

import io.entroq.codec.effect.EffectReader;
import io.entroq.engine.history.HistoryPoint;
import io.entroq.tools.log.JsonLines;
import io.entroq.tools.terminal.CommandException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code tail} command. */
@Command(
    name = "tail",
    header = "Print what happened to tasks, docs and policies, one line each.",
    description = {
      "",
      "Prints the effects that the log of a directory leads to, in their order, and stops at its"
          + " end. Each has a position, SEQUENCE-INDEX: the record of the log, and which of its"
          + " effects. How far back they reach depends on the snapshots and the log that the engine"
          + " has kept.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq tail --data data",
      "  entroq tail --data data -q 'inbox/*' --kind failed --kind died",
      "  entroq tail --data data --from 2026-11-23T08:00Z --until 2026-11-23T09:00Z",
      "  entroq tail --data data --from 731-2 --json     what follows that effect",
      "",
      "Exit status: 0 if it succeeded; 1 if the history cannot be read; 2 if the"
          + " command line is wrong; 130 if it was interrupted."
    })
public final class TailCommand extends HistoryCommand {
  @Mixin private QueueSelection queues;

  @Option(
      names = "--from",
      paramLabel = "POSITION",
      converter = EffectBound.Converter.class,
      description =
          "Begin after this record, after this effect (SEQUENCE-INDEX), or with the records of this"
              + " time, in UTC unless it has an offset. Default: the first that is kept.")
  private EffectBound from;

  @Option(
      names = "--until",
      paramLabel = "POSITION",
      converter = EffectBound.Converter.class,
      description = "End with this record, effect or time. Default: the end.")
  private EffectBound until = EffectBound.of(HistoryPoint.END);

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "Only effects of this kind, such as inserted or failed; repeatable.")
  private List<String> kinds = List.of();

  @Override
  void checkOptions() {
    List<String> known = EffectFields.kindNames();
    for (String kind : kinds) {
      if (!known.contains(kind)) {
        throw usageError(
            "--kind %s: unknown kind; expected one of %s"
                .formatted(kind, String.join(", ", known)));
      }
    }
    if (from != null && until.isBefore(from)) {
      throw usageError("--until is before --from");
    }
  }

  @Override
  void run(JsonLines lines) {
    HistoryPoint after = from == null ? first() : from.after();
    long last =
        read(
            after,
            until.point(),
            effect -> {
              if (isWanted(effect)) {
                print(effect, lines);
              }
            });
    if (from != null && from.point().timeMs() == Long.MAX_VALUE && from.point().sequence() > last) {
      throw new CommandException(
          "there is no record %,d: the log ends with record %,d"
              .formatted(from.point().sequence(), last));
    }
  }

  private boolean isWanted(EffectReader effect) {
    return (from == null || !from.includesOfStep(effect))
        && !until.excludesOfStep(effect)
        && (kinds.isEmpty() || kinds.contains(EffectFields.kindName(effect.kind())))
        && queues.selects(effect);
  }
}
