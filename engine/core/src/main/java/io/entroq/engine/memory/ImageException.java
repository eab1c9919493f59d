package io.entroq.engine.memory;

/**
 * An image describes an impossible state. If its checksums match, the program that wrote it was
 * wrong, or its memory was corrupted.
 */
public final class ImageException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  public ImageException(String what) {
    super("the image of the state is invalid: " + what);
  }
}
