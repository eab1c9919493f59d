/**
 * How tests start processes of their own, in every module; in the test jar of {@code entroq-api}.
 */
package io.entroq.api.process;
