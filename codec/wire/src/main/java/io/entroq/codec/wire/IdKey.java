package io.entroq.codec.wire;

/**
 * The 128-bit key of an id of a task, a doc or a claimant.
 *
 * @param high upper half; nobody if both halves are 0
 * @param low lower half
 * @param text the id's text if the key does not encode it, otherwise empty; not null
 */
public record IdKey(long high, long low, String text) {
  /** The empty id: the claimant of a task that nobody holds. */
  public static final IdKey NOBODY = new IdKey(0, 0, "");

  public boolean isNobody() {
    return (high | low) == 0;
  }

  /** The id as the v1 API shows it; empty for nobody. */
  public String v1Text() {
    return Ids.v1Text(high, low, text);
  }

  /** The id as the v0 API shows it: the key as a UUID. */
  public String v0Text() {
    return Ids.v0Text(high, low);
  }
}
