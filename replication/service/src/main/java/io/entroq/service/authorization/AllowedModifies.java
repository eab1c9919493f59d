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
 * What was allowed to the newest Modifys with an identity. When such a Modify is sent again, its
 * tasks may be gone or elsewhere, so it is judged by what was asked the first time. Any thread.
 */
final class AllowedModifies {
  /** As many as clients may have open at a time, a few times over. */
  private static final int REQUESTS_MAX = 8_192;

  /** What names more than that is not kept. */
  private static final int DEMANDS_MAX = 64;

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
   * @param digest of all of it, as a number may come with another request, which has to be judged
   *     by what that wants
   */
  private record Identity(ByteString clientId, long number, ByteString digest) {}

  /** Remembers what was allowed to a request that is about to run. */
  void add(ModifyRequest request, List<Permission> allowed) {
    List<Permission> distinct = allowed.stream().distinct().toList();
    if (distinct.size() <= DEMANDS_MAX) {
      synchronized (permissions) {
        permissions.put(identity(request), distinct);
      }
    }
  }

  /** What was allowed to the same request before; empty if it has not come before, or long ago. */
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
