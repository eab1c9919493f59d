package io.entroq.engine.call;

import io.entroq.api.Doc;
import io.entroq.api.DocClaim;
import io.entroq.api.DocClaimResult;
import io.entroq.api.DocSet;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.request.RequestKind;
import io.entroq.engine.request.RequestSlot;
import java.util.ArrayList;
import java.util.List;

/** Claims doc sets under a lease. */
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
    long bytes = 0;
    for (DocClaim.Target set : claim.sets()) {
      bytes += set.namespace().length() + set.key().length();
    }
    return bytes;
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
      case ResultCodes.OK -> new DocClaimResult.Claimed(docs, reply.docSets());
      case ResultCodes.DEPENDENCY -> notClaimed(reply, docs);
      default -> throw refused(reply);
    };
  }

  private DocClaimResult notClaimed(ReplyReader reply, List<Doc> docs) {
    List<DocSet.Ref> sets = reply.docSets().stream().map(DocSet::ref).toList();
    return sets.isEmpty()
        ? new DocClaimResult.TaskLost(claim.task().orElseThrow())
        : new DocClaimResult.Held(sets, docs.stream().map(Doc::ref).toList());
  }
}
