package io.entroq.engine.call;

import io.entroq.api.EntroQException;
import io.entroq.codec.command.RaiseLevelEncoder;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.request.RequestKind;
import io.entroq.engine.request.RequestSlot;
import io.entroq.engine.state.Levels;
import org.agrona.MutableDirectBuffer;

/** Raises the behavior level. Its result is the new level. */
public final class LevelRequest extends ApiRequest<Integer> {
  private final int level;

  private LevelRequest(int level) {
    super(RequestKind.RAISE_LEVEL);
    this.level = level;
  }

  /**
   * Creates a request.
   *
   * @throws EntroQException.InvalidArgument if the level cannot be raised that way
   */
  public static LevelRequest to(int level, int present) {
    check(level, present);
    return new LevelRequest(level);
  }

  /** Refuses a level below the current one or above the highest that this build supports. */
  public static void check(int level, int present) {
    if (level > Levels.highest()) {
      throw new EntroQException.InvalidArgument(
          "cannot raise the behavior level to %d: this build supports %s"
              .formatted(level, Levels.range()));
    }
    if (level < present) {
      throw new EntroQException.InvalidArgument(
          "cannot raise the behavior level to %d: it is %d, and never goes down"
              .formatted(level, present));
    }
  }

  public static int encode(MutableDirectBuffer buffer, int level) {
    return new RaiseLevelEncoder().wrap(buffer, 0).level(level).length();
  }

  @Override
  public long bytesAtLeast() {
    return 0;
  }

  @Override
  public int encode(RequestSlot slot) {
    return encode(slot.command(), level);
  }

  @Override
  public Integer answer(ReplyReader reply) {
    if (reply.code() == ResultCodes.LEVEL_REFUSED) {
      throw new EntroQException.InvalidArgument(
          "cannot raise the behavior level to %d: another call has raised it as far or further"
              .formatted(level));
    }
    if (reply.code() != ResultCodes.OK) {
      throw refused(reply);
    }
    return level;
  }
}
