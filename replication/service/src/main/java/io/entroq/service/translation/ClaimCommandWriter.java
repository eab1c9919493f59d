package io.entroq.service.translation;

import io.entroq.codec.command.ClaimEncoder;
import io.entroq.codec.message.Facades;
import io.entroq.codec.wire.Limits;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.engine.gateway.Identity;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.agrona.MutableDirectBuffer;

/** Writes the engine's Claim for a request. Reused; one thread at a time. */
public final class ClaimCommandWriter {
  private static final ThreadLocal<ClaimCommandWriter> OF_THREAD =
      ThreadLocal.withInitial(ClaimCommandWriter::new);

  private final ClaimEncoder encoder = new ClaimEncoder();
  private final FieldWriter fields = new FieldWriter();

  ClaimCommandWriter() {}

  /** This thread's writer. */
  public static ClaimCommandWriter ofThread() {
    return OF_THREAD.get();
  }

  /**
   * Writes a claim to the start of a buffer.
   *
   * @param waits whether it waits for a task; if so, it has an identity
   * @return its length in bytes
   * @throws RefusedException if the request is invalid
   */
  public int write(
      MutableDirectBuffer buffer,
      Facade facade,
      ClaimRequest request,
      Optional<Identity> identity,
      boolean waits) {
    encoder.wrap(buffer, 0);
    identity.ifPresent(
        id -> encoder.identity(id.clientHigh(), id.clientLow(), id.number(), id.ackedBelow()));
    encoder.facade(facade == Facade.V0 ? Facades.V0 : Facades.V1);
    encoder.claimant(fields.id(facade.readId("claimant_id", request.getClaimantId())));
    writeQueues(
        request, waits ? "no queues specified for claim" : "no queues specified for try claim");
    boolean isV1 = facade == Facade.V1;
    return encoder
        .leaseMs(FieldWriter.leaseMs(request.getDurationMs()))
        .deadlineMs(waits && isV1 ? FieldWriter.deadlineMs(request) : 0)
        .limit(isV1 ? FieldWriter.limit(request) : 1)
        .waits(waits)
        .length();
  }

  /** Writes the claim inside a Modify, which supplies the rest. */
  int writeInner(MutableDirectBuffer buffer, ClaimRequest request) {
    encoder.wrap(buffer, 0);
    writeQueues(request, "no queues specified for claim");
    return encoder
        .leaseMs(FieldWriter.leaseMs(request.getDurationMs()))
        .limit(FieldWriter.limit(request))
        .length();
  }

  private void writeQueues(ClaimRequest request, String ifNone) {
    if (request.getQueuesCount() == 0) {
      throw RefusedException.invalid("queues: " + ifNone);
    }
    // Nearly every claim names one queue, which needs no check for duplicates.
    Set<String> written = request.getQueuesCount() == 1 ? null : new HashSet<>();
    int count = 0;
    for (int i = 0; i < request.getQueuesCount(); i++) {
      String name = request.getQueues(i);
      // The queue without a name is always empty.
      if (!name.isEmpty() && (written == null || written.add(name))) {
        requireFew(++count);
        encoder.queue(fields.name("queues", i, name));
      }
    }
    if (count == 0) {
      encoder.queue(fields.name("queues", FieldWriter.NOWHERE));
    }
  }

  private static void requireFew(int queues) {
    if (queues > Limits.QUEUES_PER_CLAIM_MAX) {
      throw RefusedException.invalid(
          "queues: more than the limit of %d different queues"
              .formatted(Limits.QUEUES_PER_CLAIM_MAX));
    }
  }
}
