package io.entroq.service.translation;

import io.entroq.codec.command.ClaimDocsEncoder;
import io.entroq.codec.message.Slice;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.DocClaim;
import io.entroq.engine.gateway.Identity;
import java.util.Optional;
import org.agrona.MutableDirectBuffer;

/** Writes the engine's ClaimDocs for one request. */
public final class ClaimDocsCommandWriter {
  private final ClaimDocsEncoder encoder = new ClaimDocsEncoder();
  private final FieldWriter fields = new FieldWriter();

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
    return encoder
        .claimant(fields.id(Facade.V1.readId("claimant", claim.getClaimant())))
        .set(
            new Slice().wrap(DocWriter.namespace(claim.getNamespace())),
            fields.name("key", claim.getKey()),
            false)
        .leaseMs(FieldWriter.leaseMs(claim.getDurationMs()))
        .length();
  }
}
