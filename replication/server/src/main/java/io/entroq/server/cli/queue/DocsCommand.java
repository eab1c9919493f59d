package io.entroq.server.cli.queue;

import io.entroq.api.Doc;
import io.entroq.api.DocQuery;
import io.entroq.api.EntroQ;
import io.entroq.server.cli.queue.print.DocJson;
import io.entroq.tools.log.JsonLines;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code docs} command. */
@Command(
    name = "docs",
    header = "List docs, one JSON object per line.",
    description = {
      "",
      "Lists the docs of a namespace, or only those with the given ids, ordered by key and"
          + " secondary key. Missing docs are omitted.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq docs --data data -n config",
      "  entroq docs -s localhost:37706 -n config -k a -K b",
      "  entroq docs --data data -n config -i 4b1fa52fd5b3cc0e",
      "",
      "Exit status: 0 if the list is complete; 1 if not; 2 if the command line is wrong."
    })
final class DocsCommand extends TargetCommand {
  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      required = true,
      description = "Namespace.")
  private String namespace;

  @Option(
      names = {"-i", "--id"},
      paramLabel = "ID",
      description = "Id of a doc; repeatable. Disables --key-start, --key-end and --limit.")
  private List<String> ids = List.of();

  @Option(
      names = {"-k", "--key-start", "--key_start"},
      paramLabel = "KEY",
      description = "First key, inclusive. Default: none.")
  private String keyStart = "";

  @Option(
      names = {"-K", "--key-end", "--key_end"},
      paramLabel = "KEY",
      description = "Last key, exclusive. Default: none.")
  private String keyEnd = "";

  @Option(
      names = {"-l", "--limit"},
      paramLabel = "N",
      description = "Maximum number of docs to list; 0: all. Default: 0.")
  private int limit;

  @Option(
      names = {"-V", "--omit-values", "--omit_values"},
      description = "Print null instead of the content.")
  private boolean isWithoutValues;

  private DocQuery query;

  @Override
  void checkOptions() {
    query = new DocQuery(namespace, ids, keyStart, keyEnd, "", limit, isWithoutValues);
  }

  @Override
  boolean isReading() {
    return true;
  }

  @Override
  int run(EntroQ queue) {
    try (JsonLines lines = json()) {
      for (Doc doc : queue.docs(query)) {
        lines.value(json -> DocJson.write(json, doc));
      }
    }
    return STATUS_OK;
  }
}
