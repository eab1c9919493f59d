package io.entroq.service.translation;

import com.google.protobuf.ByteString;
import io.entroq.codec.wire.IdKey;
import io.entroq.codec.wire.edge.CancelClaimRequest;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.engine.gateway.Identity;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;

/** The identities of requests: an extension of the v1 API. */
public final class RequestIdentities {
  private static final int CLIENT_ID_BYTES = 16;

  private RequestIdentities() {}

  /**
   * The identity of a claim; empty: none.
   *
   * @throws RefusedException if it is invalid
   */
  public static Optional<Identity> of(Facade facade, ClaimRequest request) {
    return of(facade, request.getClientId(), request.getRequestNumber(), request.getAckedBelow());
  }

  /**
   * The identity of a Modify; empty: none.
   *
   * @throws RefusedException if it is invalid
   */
  public static Optional<Identity> of(Facade facade, ModifyRequest request) {
    return of(facade, request.getClientId(), request.getRequestNumber(), request.getAckedBelow());
  }

  /**
   * The identity of a claim of docs; empty: none.
   *
   * @throws RefusedException if it is invalid
   */
  public static Optional<Identity> of(ClaimDocsRequest request) {
    return of(
        Facade.V1, request.getClientId(), request.getRequestNumber(), request.getAckedBelow());
  }

  /**
   * Checks the id of a client.
   *
   * @throws RefusedException if it is invalid
   */
  public static void requireClientId(ByteString clientId) {
    of(Facade.V1, clientId, 1, 1);
  }

  /** Whether the length is that of a client id. */
  public static boolean isClientId(ByteString clientId) {
    return clientId.size() == CLIENT_ID_BYTES;
  }

  /**
   * The identity of a claim to cancel.
   *
   * @throws RefusedException if it is invalid
   */
  public static Identity of(CancelClaimRequest request) {
    return of(Facade.V1, request.getClientId(), request.getRequestNumber(), 0)
        .orElseThrow(() -> RefusedException.invalid("client_id: missing"));
  }

  private static Optional<Identity> of(
      Facade facade, ByteString clientId, long number, long ackedBelow) {
    if (facade == Facade.V0 || (clientId.isEmpty() && number == 0 && ackedBelow == 0)) {
      return Optional.empty();
    }
    if (clientId.size() != CLIENT_ID_BYTES) {
      throw RefusedException.invalid(
          "client_id: " + clientId.size() + " bytes, not " + CLIENT_ID_BYTES);
    }
    ByteBuffer client = clientId.asReadOnlyByteBuffer();
    long high = client.getLong();
    long low = client.getLong();
    if ((high | low) == 0) {
      throw RefusedException.invalid("client_id: all zeros");
    }
    if (number <= 0) {
      throw RefusedException.invalid(
          "request_number: " + Long.toUnsignedString(number) + " is not from 1 to 2^63 - 1");
    }
    if (ackedBelow < 0 || ackedBelow > number) {
      throw RefusedException.invalid(
          "acked_below: " + Long.toUnsignedString(ackedBelow) + " is above request_number");
    }
    return Optional.of(new Identity(high, low, number, Math.max(1, ackedBelow)));
  }

  /**
   * A new id for a task that is inserted without one. Derived from the identity, so that a repeated
   * request gets the same id.
   *
   * @param index of the insert in its request
   */
  static IdKey newId(Facade facade, Optional<Identity> identity, int index) {
    return identity.isEmpty() ? facade.newId() : derivedId(identity.get(), index);
  }

  /**
   * A new id for a doc that is inserted without one.
   *
   * @param index of the insert among those of docs
   */
  static IdKey newDocId(Optional<Identity> identity, int index) {
    // Negative, so that no task has the same index.
    return newId(Facade.V1, identity, ~index);
  }

  private static IdKey derivedId(Identity identity, int index) {
    ByteBuffer source = ByteBuffer.allocate(3 * Long.BYTES + Integer.BYTES);
    source.putLong(identity.clientHigh()).putLong(identity.clientLow());
    source.putLong(identity.number()).putInt(index);
    // As many bits as a random id, and never zero, which means nobody.
    return new IdKey(0, ByteBuffer.wrap(sha256(source.array())).getLong() | 1, "");
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
