package io.entroq.server.cli.queue;

import io.entroq.api.Doc;
import io.entroq.api.DocInsert;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.Value;
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
    header = "Inserts a doc into a namespace.",
    description = {
      "",
      "Inserts a doc and prints it as one line, a JSON array.",
      "",
      "A data directory that does not exist is made, and that is said on the error output.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq doc-put --data data -n config -k mail/host -v '\"example.com\"'",
      "",
      "Exit status: 0 if the doc was inserted; 1 if not, or if it was and could not be printed,"
          + " which is said; 2 if the command line is wrong."
    })
final class DocPutCommand extends TargetCommand implements Lasting {
  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      required = true,
      description = "The namespace. It comes into being with its first doc.")
  private String namespace;

  @Option(
      names = {"-k", "--key"},
      paramLabel = "KEY",
      required = true,
      description = "What the doc is found and claimed by.")
  private String key;

  @Option(
      names = {"-K", "--secondary-key", "--secondary_key"},
      paramLabel = "KEY",
      description = "Tells docs of one key apart and orders them. Default: none.")
  private String secondaryKey = "";

  @Option(
      names = {"-v", "--val"},
      paramLabel = "JSON",
      converter = ValueConverter.class,
      description = "What the doc holds, as JSON. Default: nothing.")
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
    return options.openOrMake(this::noteNamed);
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
