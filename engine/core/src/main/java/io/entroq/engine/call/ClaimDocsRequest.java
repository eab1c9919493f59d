package io.entroq.engine.call;

import io.entroq.api.Doc;
import io.entroq.api.DocClaim;
import io.entroq.api.DocClaimResult;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.request.RequestKind;
import io.entroq.engine.request.RequestSlot;
import java.util.ArrayList;
import java.util.List;

/** Claims all docs of a key under a lease. */
public final class ClaimDocsRequest extends ApiRequest<DocClaimResult> {
  private final DocClaim claim;
  private final String claimant;

  /**
   * @param claimant used if the claim names none
   */
  public ClaimDocsRequest(DocClaim claim, String claimant) {
    super(RequestKind.CLAIM_DOCS);
    this.claim = claim;
    this.claimant = claim.claimant().isEmpty() ? claimant : claim.claimant();
  }

  @Override
  public long bytesAtLeast() {
    return (long) claim.namespace().length() + claim.key().length();
  }

  @Override
  public int encode(RequestSlot slot) {
    return CallCodec.encoder(slot).claimDocs(slot.command(), claim, claimant);
  }

  @Override
  public DocClaimResult answer(ReplyReader reply) {
    List<Doc> docs = new ArrayList<>();
    reply.addDocs(docs);
    return switch (reply.code()) {
      case ResultCodes.OK, ResultCodes.EMPTY -> new DocClaimResult.Claimed(docs);
      case ResultCodes.DEPENDENCY -> new DocClaimResult.Held(docs.stream().map(Doc::ref).toList());
      default -> throw refused(reply);
    };
  }
}
