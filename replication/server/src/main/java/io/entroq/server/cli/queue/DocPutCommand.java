package io.entroq.server.cli.queue;

import io.entroq.api.Doc;
import io.entroq.api.DocInsert;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.Value;
import io.entroq.server.cli.queue.action.LastingEffect;
import io.entroq.server.cli.queue.options.TargetOptions;
import io.entroq.server.cli.queue.options.ValueConverter;
import io.entroq.server.cli.queue.print.DocJson;
import io.entroq.tools.log.JsonLines;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code doc-put} command. */
@Command(
    name = "doc-put",
    header = "Insert a doc into a namespace.",
    description = {
      "",
      "Prints the inserted doc as a JSON array on one line.",
      "",
      "A data directory that does not exist is created, with a note on standard error.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq doc-put --data data -n config -k mail/host -v '\"example.com\"'",
      "",
      "Exit status: 0 if the doc was inserted; 1 if not, or if it was but could not be printed,"
          + " as the message says; 2 if the command line is wrong."
    })
final class DocPutCommand extends TargetCommand implements LastingEffect {
  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      required = true,
      description = "Namespace; created with its first doc.")
  private String namespace;

  @Option(
      names = {"-k", "--key"},
      paramLabel = "KEY",
      required = true,
      description = "Key for finding and claiming the doc.")
  private String key;

  @Option(
      names = {"-K", "--secondary-key", "--secondary_key"},
      paramLabel = "KEY",
      description = "Distinguishes and orders docs with the same key. Default: none.")
  private String secondaryKey = "";

  @Option(
      names = {"-v", "--val"},
      paramLabel = "JSON",
      converter = ValueConverter.class,
      description = "Content of the doc, as JSON. Default: none.")
  private Value value = Value.absent();

  private Modification insertion;
  private List<Doc> inserted = List.of();

  @Override
  void checkOptions() {
    DocInsert insert =
        DocInsert.into(namespace, key).withSecondaryKey(secondaryKey).withValue(value);
    insertion = Modification.builder().claimant(claimant()).insertDoc(insert).build();
  }

  @Override
  EntroQ open(TargetOptions options) {
    return options.openOrCreate(this::noteNamed);
  }

  @Override
  int run(EntroQ queue) {
    inserted = queue.modify(insertion).orThrow().insertedDocs();
    try (JsonLines lines = json()) {
      lines.value(
          json -> {
            json.writeStartArray();
            for (Doc doc : inserted) {
              DocJson.write(json, doc);
            }
            json.writeEndArray();
          });
    }
    return STATUS_OK;
  }

  @Override
  public Optional<String> done() {
    return inserted.stream().findFirst().map(doc -> "doc " + doc.id() + " was inserted");
  }
}
