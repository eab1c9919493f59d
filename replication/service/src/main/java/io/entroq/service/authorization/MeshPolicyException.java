package io.entroq.service.authorization;

/** A mesh policy cannot be used. The message says what is wrong, and where. */
public final class MeshPolicyException extends Exception {
  private static final long serialVersionUID = 1;

  MeshPolicyException(String message) {
    super(message);
  }

  MeshPolicyException(String message, Throwable cause) {
    super(message, cause);
  }
}
