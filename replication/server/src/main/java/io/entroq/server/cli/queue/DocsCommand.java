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
    header = "Lists docs, one JSON object a line.",
    description = {
      "",
      "Lists the docs of a namespace by key and secondary key, or the named docs in that order."
          + " Docs that are not there are left out. Changes nothing.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq docs --data data -n config",
      "  entroq docs -s localhost:37706 -n config -k a -K b",
      "  entroq docs --data data -n config -i 4b1fa52fd5b3cc0e",
      "",
      "Exit status: 0 if all went well; 1 if not; 2 if the command line is wrong."
    })
final class DocsCommand extends TargetCommand {
  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      required = true,
      description = "The namespace.")
  private String namespace;

  @Option(
      names = {"-i", "--id"},
      paramLabel = "ID",
      description = "A doc; may be given several times. Keys and limit say nothing then.")
  private List<String> ids = List.of();

  @Option(
      names = {"-k", "--key-start", "--key_start"},
      paramLabel = "KEY",
      description = "The first key that is wanted. Default: any.")
  private String keyStart = "";

  @Option(
      names = {"-K", "--key-end", "--key_end"},
      paramLabel = "KEY",
      description = "The first key that is not wanted any more. Default: none.")
  private String keyEnd = "";

  @Option(
      names = {"-l", "--limit"},
      paramLabel = "N",
      description = "How many docs at most, the first ones; 0 for all. Default: 0.")
  private int limit;

  @Option(
      names = {"-V", "--omit-values", "--omit_values"},
      description = "Leave contents out: null is printed instead.")
  private boolean isWithoutValues;

  private DocQuery query;

  @Override
  void checkOptions() {
    query = new DocQuery(namespace, ids, keyStart, keyEnd, limit, isWithoutValues);
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
