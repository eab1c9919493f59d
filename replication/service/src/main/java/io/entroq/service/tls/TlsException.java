package io.entroq.service.tls;

/** A TLS file cannot be used. The message says which one, why, and what to do. */
public final class TlsException extends Exception {
  private static final long serialVersionUID = 1L;

  TlsException(String message) {
    super(message);
  }

  TlsException(String message, Throwable cause) {
    super(message, cause);
  }
}
