package io.entroq.server.cli.queue;

import io.entroq.api.Doc;
import io.entroq.api.DocQuery;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.server.cli.queue.action.LastingEffect;
import io.entroq.tools.terminal.CommandException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code doc-rm} command. */
@Command(
    name = "doc-rm",
    header = "Delete a doc.",
    description = {
      "",
      "Deletes the doc with this id, whatever its version, unless another claimant has it.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq doc-rm --data data -n config -i 4b1fa52fd5b3cc0e",
      "",
      "Exit status: 0 if the doc was deleted; 1 if not; 2 if the command line is wrong."
    })
final class DocRmCommand extends TargetCommand implements LastingEffect {
  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      required = true,
      description = "Namespace.")
  private String namespace;

  @Option(
      names = {"-i", "--id"},
      paramLabel = "ID",
      required = true,
      description = "Id of the doc.")
  private String id;

  private DocQuery query;
  private Doc.Ref deleted;

  @Override
  void checkOptions() {
    query = DocQuery.in(namespace).withIds(id).withoutValues();
  }

  @Override
  int run(EntroQ queue) {
    List<Doc> found = queue.docs(query);
    if (found.isEmpty()) {
      throw new CommandException(
          "there is no doc %s in namespace %s; `entroq docs` lists them".formatted(id, namespace));
    }
    Doc doc = found.get(0);
    Modification deletion =
        Modification.builder().claimant(claimant()).deleteDoc(doc.ref()).build();
    ModifyResult result = queue.modify(deletion);
    if (result instanceof ModifyResult.DependencyFailure failure) {
      throw new CommandException(reason(doc, failure));
    }
    ModifyResult.Committed unused = result.orThrow();
    deleted = doc.ref();
    print("deleted doc " + deleted);
    return STATUS_OK;
  }

  private static String reason(Doc doc, ModifyResult.DependencyFailure failure) {
    return failure.hasClaims()
        ? "doc %s is claimed by %s until %s: use --claimant %s, or try again later"
            .formatted(doc.id(), doc.claimant(), doc.arrivalTime(), doc.claimant())
        : "doc %s has changed since version %d was read: check it and try again"
            .formatted(doc.id(), doc.version());
  }

  @Override
  public Optional<String> done() {
    return Optional.ofNullable(deleted).map(doc -> "doc " + doc + " was deleted");
  }
}
