package io.entroq.service.translation;

import io.entroq.codec.command.ClaimDocsEncoder;
import io.entroq.codec.message.Slice;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.DocClaim;
import io.entroq.codec.wire.edge.DocSetClaim;
import io.entroq.codec.wire.edge.TaskID;
import io.entroq.engine.gateway.Identity;
import java.util.Optional;
import org.agrona.MutableDirectBuffer;

/** Writes the engine's ClaimDocs for one request. */
public final class ClaimDocsCommandWriter {
  private final ClaimDocsEncoder encoder = new ClaimDocsEncoder();
  private final FieldWriter fields = new FieldWriter();
  private final Slice namespace = new Slice();

  /** For one request. */
  public ClaimDocsCommandWriter() {}

  /**
   * Writes a claim of docs to the start of a buffer.
   *
   * @return its length in bytes
   * @throws RefusedException if the request is invalid
   */
  public int write(MutableDirectBuffer buffer, ClaimDocsRequest request) {
    Optional<Identity> identity = RequestIdentities.of(request);
    if (!request.hasClaimQuery()) {
      throw RefusedException.invalid("claim_query: missing");
    }
    encoder.wrap(buffer, 0);
    identity.ifPresent(
        id -> encoder.identity(id.clientHigh(), id.clientLow(), id.number(), id.ackedBelow()));
    try {
      return write(request.getClaimQuery());
    } catch (RefusedException e) {
      throw e.in("claim_query");
    }
  }

  private int write(DocClaim claim) {
    encoder.claimant(fields.id(Facade.V1.readId("claimant", claim.getClaimant())));
    if (claim.getSetsCount() == 0) {
      set(claim.getNamespace(), claim.getKey(), false);
    }
    for (DocSetClaim set : claim.getSetsList()) {
      set(set.getSet().getNamespace(), set.getSet().getKey(), set.getOmitMembers());
    }
    if (!claim.hasTaskToMatch()) {
      return encoder.leaseMs(FieldWriter.leaseMs(claim.getDurationMs())).length();
    }
    TaskID task = claim.getTaskToMatch();
    return encoder
        .task(
            fields.id(FieldWriter.taskId(Facade.V1, task)),
            task.getVersion(),
            fields.name("task_to_match.queue", task.getQueue()))
        .length();
  }

  private void set(String namespace, String key, boolean omitsMembers) {
    encoder.set(
        this.namespace.wrap(DocWriter.namespace(namespace)), fields.name("key", key), omitsMembers);
  }
}
