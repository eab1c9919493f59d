package io.entroq.cluster.member;

/** A member cannot start or go on; the message says why and what to do. */
public final class MemberException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MemberException(String message) {
    super(message);
  }

  MemberException(String message, Throwable cause) {
    super(message, cause);
  }
}
