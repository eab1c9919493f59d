package io.entroq.server.cli.history;

import io.entroq.api.TaskId;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import io.entroq.api.feed.FeedRange;
import io.entroq.codec.wire.IdKey;
import io.entroq.codec.wire.Ids;
import io.entroq.codec.wire.InvalidIdException;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.tools.log.JsonLines;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code history} command. */
@Command(
    name = "history",
    header = "Print what happened to a task, one line each.",
    description = {
      "",
      "Prints all effects on a task that a server or a directory has kept, oldest first, as"
          + " `entroq tail` does. If a task was inserted before that, the list begins in the middle,"
          + " and a note says so. Where `--history` is set, a server notes which parts of its log have"
          + " effects on which tasks: those without any on this task are not read, whether they are"
          + " damaged or not. Elsewhere all is read.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq history -s localhost:37706 -t 4b1fa52fd5b3cc0e",
      "  entroq history --data data -t 4b1fa52fd5b3cc0e",
      "  entroq history --data data -t order-17 --json | jq .kind",
      "",
      "Exit status: 0 if it succeeded, also if nothing is known of the task; 1 if the history is"
          + " damaged or cannot be read; 2 if the command line is wrong; 130 if it was interrupted."
    })
public final class TaskHistoryCommand extends HistoryCommand {
  @Mixin private PastOptions source;

  @Option(
      names = {"-t", "--task"},
      paramLabel = "ID",
      required = true,
      description = "Task.")
  private String id;

  private IdKey key;

  @Override
  void checkOptions() {
    source.check(spec().commandLine(), durability().isGiven());
    try {
      key = Ids.ofV1(id);
    } catch (InvalidIdException e) {
      throw usageError(e.getMessage());
    }
  }

  @Override
  Path data() {
    return source.data();
  }

  @Override
  public Integer call() {
    return source.isServer() ? callServer(source, this::runServer) : super.call();
  }

  private boolean runServer(ServerPast past, JsonLines lines) {
    FeedRange kept = past.range();
    long[] found = new long[1];
    FeedQuery query =
        FeedQuery.after(FeedPosition.after(kept.first() - 1))
            .until(FeedPosition.after(kept.last()))
            .ids(List.of(TaskId.of(id)))
            .build();
    boolean isWhole =
        kept.last() < kept.first()
            || past.read(
                query,
                effect -> {
                  found[0]++;
                  print(EffectFields.of(effect), lines);
                });
    if (isWhole) {
      tellRest(kept.first() - 1, found[0]);
    }
    return isWhole;
  }

  @Override
  void run(JsonLines lines) {
    HistoryPoint first = first();
    long[] found = new long[1];
    read(
        first,
        HistoryPoint.END,
        List.of(key),
        effect -> {
          found[0]++;
          print(EffectFields.of(effect), lines);
        });
    tellRest(first.sequence(), found[0]);
  }

  private void tellRest(long first, long found) {
    if (first > 0) {
      note("what was before record %,d is no longer kept".formatted(first));
    }
    if (found == 0) {
      note("nothing is known of a task " + id);
    }
  }
}
