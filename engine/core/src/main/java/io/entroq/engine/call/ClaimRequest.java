package io.entroq.engine.call;

import io.entroq.api.Claim;
import io.entroq.api.EntroQException;
import io.entroq.api.Task;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.request.Lane;
import io.entroq.engine.request.RequestKind;
import io.entroq.engine.request.RequestSlot;
import java.util.List;
import org.agrona.MutableDirectBuffer;

/** Claims tasks under a lease; waits for them if the slot has a lane. */
public final class ClaimRequest extends ApiRequest<List<Task>> {
  private final Claim claim;
  private final String claimant;
  private final long deadlineMs;

  /**
   * @param claimant used if the claim names none
   * @param deadlineMs log time at which a waiting claim ends; 0 if never
   */
  public ClaimRequest(Claim claim, String claimant, long deadlineMs) {
    super(RequestKind.CLAIM);
    this.claim = claim;
    this.claimant = claim.claimant().isEmpty() ? claimant : claim.claimant();
    this.deadlineMs = deadlineMs;
  }

  @Override
  public long bytesAtLeast() {
    long bytes = 0;
    for (String queue : claim.queues()) {
      bytes += queue.length();
    }
    return bytes;
  }

  @Override
  public int encode(RequestSlot slot) {
    return encode(CallCodec.encoder(slot), slot.command(), slot.lane);
  }

  /** Encodes the request to the start of a buffer; it waits if {@code lane} is not null. */
  public int encode(RequestEncoder encoder, MutableDirectBuffer buffer, Lane lane) {
    return encoder.claim(buffer, claim, claimant, lane, deadlineMs);
  }

  @Override
  public List<Task> answer(ReplyReader reply) {
    return switch (reply.code()) {
      case ResultCodes.OK -> reply.claimed();
      case ResultCodes.EMPTY, ResultCodes.TIMED_OUT -> List.of();
      // Not by the caller: it does not read the reply of a claim that it has cancelled.
      case ResultCodes.CANCELLED ->
          throw new EntroQException.Closed("the engine was closed while the claim waited");
      default -> throw refused(reply);
    };
  }
}
