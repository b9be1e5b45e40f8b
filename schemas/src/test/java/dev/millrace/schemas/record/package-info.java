/** The JSON form of records, held by files. */
@NullMarked
package dev.millrace.schemas.record;

import org.jspecify.annotations.NullMarked;
