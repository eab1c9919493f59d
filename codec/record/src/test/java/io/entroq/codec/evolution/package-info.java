/** What happens to readers and writers when fields are added to a schema. */
package io.entroq.codec.evolution;
