package io.entroq.service.insight;

import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;

/** What requests for a page of something have in common. */
final class Paging {
  private Paging() {}

  /** How many to return. */
  static int limit(int limit, int standard, int max) {
    if (limit < 0 || limit > max) {
      throw new RefusedException(
          Refusal.invalid("limit must be from 0 to %,d, is %,d".formatted(max, limit)));
    }
    return limit == 0 ? standard : limit;
  }

  /** How many to skip. */
  static int offset(int offset) {
    if (offset < 0) {
      throw new RefusedException(Refusal.invalid("offset must not be negative, is " + offset));
    }
    return offset;
  }

  static RefusedException noColumn(String sort) {
    return new RefusedException(Refusal.invalid("sort: there is no column " + sort));
  }
}
