package io.entroq.service.authorization;

import com.google.protobuf.ByteString;
import io.entroq.codec.wire.edge.ModifyRequest;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers the permissions of recent Modifys that have an identity. When a Modify is retried, its
 * tasks may be gone or in other queues, so the permissions of the first attempt count. Any thread.
 */
final class AllowedModifies {
  /** A few times as many as clients may have in flight. */
  private static final int REQUESTS_MAX = 8_192;

  /** Requests that need more are not remembered. */
  private static final int PERMISSIONS_MAX = 64;

  private final Map<Identity, List<Permission>> permissions =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Identity, List<Permission>> eldest) {
          return size() > REQUESTS_MAX;
        }
      };

  /**
   * Identifies a request that may be retried.
   *
   * @param digest of the whole request, since a number may be reused for another request
   */
  private record Identity(ByteString clientId, long number, ByteString digest) {}

  /** Remembers the permissions of a request that is about to run. */
  void add(ModifyRequest request, List<Permission> allowed) {
    List<Permission> distinct = allowed.stream().distinct().toList();
    if (distinct.size() <= PERMISSIONS_MAX) {
      synchronized (permissions) {
        permissions.put(identity(request), distinct);
      }
    }
  }

  /** The permissions of an earlier attempt of the same request; empty if they are not known. */
  Optional<List<Permission>> find(ModifyRequest request) {
    synchronized (permissions) {
      return Optional.ofNullable(permissions.get(identity(request)));
    }
  }

  private static Identity identity(ModifyRequest request) {
    // A copy, so that the whole request is not retained.
    return new Identity(
        ByteString.copyFrom(request.getClientId().toByteArray()),
        request.getRequestNumber(),
        // Acknowledgments differ between attempts.
        digest(request.toBuilder().clearAckedBelow().build()));
  }

  private static ByteString digest(ModifyRequest request) {
    try {
      return ByteString.copyFrom(
          MessageDigest.getInstance("SHA-256").digest(request.toByteArray()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
