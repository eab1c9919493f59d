package io.entroq.server.cli.history;

import io.entroq.api.EntroQ;
import io.entroq.api.feed.Feed;
import io.entroq.api.feed.FeedIterator;
import io.entroq.api.feed.FeedQuery;
import io.entroq.codec.effect.EffectReader;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.tools.log.JsonLines;
import io.entroq.tools.log.ScanEndedException;
import io.entroq.tools.terminal.CommandException;
import io.entroq.tools.terminal.Interruption;
import java.nio.file.Path;
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
      "Prints effects in their order. Those of a server are printed as they happen, until Ctrl-C."
          + " If the connection is lost, it goes on after the last one that was printed, at another"
          + " member of a cluster if need be. Those of a directory are printed up to the end of its"
          + " log.",
      "",
      "Each has a position, SEQUENCE-INDEX: the record of the log, and which of its effects. How"
          + " far back they reach depends on what has been kept.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq tail -s localhost:37706 -q inbox",
      "  entroq tail -s localhost:37706 --from 731-2 --json",
      "  entroq tail -s localhost:37706 --from snapshot -q inbox",
      "  entroq tail --data data",
      "  entroq tail --data data -q 'inbox/*' --kind failed --kind died",
      "  entroq tail --data data --from 2026-11-23T08:00Z --until 2026-11-23T09:00Z",
      "",
      "Exit status: 0 if it succeeded; 1 if the effects cannot be read; 2 if the command line is"
          + " wrong; 130 if it was interrupted."
    })
public final class TailCommand extends HistoryCommand {
  private static final EffectBound NEVER = EffectBound.of(HistoryPoint.END);

  @Mixin private PastOptions source;

  @Mixin private QueueSelection queues;

  @Option(
      names = "--from",
      paramLabel = "POSITION",
      converter = EffectBound.StartConverter.class,
      description =
          "Begin after this record, after this effect (SEQUENCE-INDEX), or with the records of this"
              + " time, in UTC unless it has an offset; with a server also now, or snapshot: the"
              + " state as if everything had just been inserted, and then what happens. Default:"
              + " the first that is kept, or now with a server.")
  private EffectBound from;

  @Option(
      names = "--until",
      paramLabel = "POSITION",
      converter = EffectBound.Converter.class,
      description =
          "End with this record, this effect, or the last record of this time. Default: the end, or"
              + " never with a server.")
  private EffectBound until = NEVER;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "Only effects of this kind, such as inserted or failed; repeatable.")
  private List<String> kinds = List.of();

  @Override
  public Integer call() {
    return source.isServer() ? tailServer() : super.call();
  }

  @Override
  Path data() {
    return source.data();
  }

  private int tailServer() {
    checkOptions();
    FeedQuery.Builder query = (from == null ? EffectBound.NOW : from).begin();
    queues.addTo(query);
    kinds.forEach(kind -> query.kinds(EffectFields.kind(kind)));
    until.end(query);
    try (Interruption interruption = new Interruption("command");
        JsonLines lines = json();
        EntroQ queue = source.connect();
        FeedIterator feed = Feed.of(queue).iterator(query.build())) {
      return new ServerTail(feed, this::note)
          .run(
              interruption,
              effect -> {
                if (!until.excludesOfStep(effect)) {
                  print(EffectFields.of(effect), lines);
                }
              },
              lines::flush);
    } catch (ScanEndedException e) {
      // The reader closed the output.
      return 0;
    }
  }

  @Override
  void checkOptions() {
    checkSource();
    List<String> known = EffectFields.kindNames();
    for (String kind : kinds) {
      if (!known.contains(kind)) {
        throw usageError(
            "--kind %s: unknown kind; expected one of %s"
                .formatted(kind, String.join(", ", known)));
      }
    }
    if (from != null && !from.isOfServer() && until.isBefore(from)) {
      throw usageError("--until is before --from");
    }
  }

  private void checkSource() {
    source.check(spec().commandLine(), durability().isGiven());
    if (!source.isServer() && from != null && (from.isOfServer() || !from.log().isEmpty())) {
      throw usageError("--from now, --from snapshot, and positions with @, apply to a server");
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
                print(EffectFields.of(effect), lines);
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
