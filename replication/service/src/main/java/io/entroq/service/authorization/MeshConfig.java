package io.entroq.service.authorization;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How mesh authorization starts.
 *
 * @param updateSubject the only caller that may replace the policy; also the operator of the server
 * @param policyFile the policy to start with; if empty, there is none until it is put
 * @param coversStats whether listing names and statistics of queues and namespaces is authorized
 */
public record MeshConfig(String updateSubject, Optional<Path> policyFile, boolean coversStats) {
  /** Without an update subject, everybody or nobody could replace the policy. */
  public MeshConfig {
    if (updateSubject.isEmpty()) {
      throw new IllegalArgumentException("the caller that may replace the policy must be named");
    }
  }
}
