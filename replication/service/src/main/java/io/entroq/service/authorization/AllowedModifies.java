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
 * The permissions that the newest Modifys with an identity had. When such a Modify is sent again,
 * its tasks may be gone or elsewhere, so the permissions of the first time count. Any thread.
 */
final class AllowedModifies {
  /** A few times as many as clients may have open at a time. */
  private static final int REQUESTS_MAX = 8_192;

  /** A request that needs more is not kept. */
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
   * A request that may come again.
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

  /** The permissions of the same request when it came before; empty if they are not known. */
  Optional<List<Permission>> find(ModifyRequest request) {
    synchronized (permissions) {
      return Optional.ofNullable(permissions.get(identity(request)));
    }
  }

  private static Identity identity(ModifyRequest request) {
    // Copied, so that it does not keep the whole request.
    return new Identity(
        ByteString.copyFrom(request.getClientId().toByteArray()),
        request.getRequestNumber(),
        // Acknowledgments differ each time.
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
