package io.entroq.codec.generator;

/** The schema uses something that flyweights do not support; protoc reports the message. */
final class SchemaException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SchemaException(String where, String problem) {
    super(where + ": " + problem);
  }
}
