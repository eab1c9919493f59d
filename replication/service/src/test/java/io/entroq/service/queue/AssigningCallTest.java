package io.entroq.service.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.engine.gateway.RevocableClaim;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tasks that are assigned at once are the caller's when the answer has left, and not before. */
class AssigningCallTest {
  private final List<String> heard = new ArrayList<>();
  private final RevocableClaim claim =
      new RevocableClaim() {
        @Override
        public void cancel() {
          heard.add("cancel");
        }

        @Override
        public void refuse() {
          heard.add("refuse");
        }

        @Override
        public void settle() {
          heard.add("settle");
        }
      };

  @Test
  void shouldGiveBackWhenTheCallEndsBeforeTheAnswerHasLeft() {
    new AssigningCall().start(() -> claim).cancel();
    assertThat(heard).containsExactly("cancel");
  }

  @Test
  void shouldKeepWhatHasLeft() {
    new AssigningCall().start(() -> claim).delivered();
    assertThat(heard).containsExactly("settle");
  }

  @Test
  void shouldGiveBackWhatCannotBeTold() {
    AssigningCall call = new AssigningCall().start(() -> claim);
    call.refuse();
    assertThat(heard).containsExactly("refuse");
  }

  @Test
  void shouldHaveNothingToGiveBackIfItHasNotBegun() {
    AssigningCall call = new AssigningCall();
    assertThatThrownBy(
            () ->
                call.start(
                    () -> {
                      throw new IllegalStateException("no room");
                    }))
        .hasMessage("no room");
    call.cancel();
    call.delivered();
    assertThat(heard).isEmpty();
  }
}
